// The schemas of the interface description, under their names and with their members. What the members mean is written
// there and, in short, here.

import type { InquiryCategory, InquiryStatus, KnownInquiryStatus, Page, Time, Timestamp } from "./values.js";

export type InquiryList = Page<Inquiry>;

/** Both ends of a range belong to it. */
export interface InquiryFilter {
  status?: KnownInquiryStatus;
  updated_at_gte?: Time;
  updated_at_lte?: Time;
  /** 1 to 100, 50 by default. */
  limit?: number;
  cursor?: string;
}

/** A customer's question about a product. Never show a secret one to others than the seller. */
export interface Inquiry {
  qna_id: string;
  product_id: string;
  product_name: string;
  category: InquiryCategory;
  body: string;
  is_secret: boolean;
  member_display_name: string;
  status: InquiryStatus;
  image_urls: string[];
  created_at: Timestamp;
  updated_at: Timestamp;
  /** The answer that stands; null while the inquiry waits. */
  answer: InquiryAnswer | null;
}

export interface InquiryAnswer {
  content: string;
  answered_at: Timestamp;
}

export interface AnswerRequest {
  /** 1 to 4000 characters. */
  content: string;
}

export interface InquiryAnswered {
  qna_id: string;
  status: InquiryStatus;
  /** The same answer was there before this call. */
  converged: boolean;
  answered_at: Timestamp;
  updated_at: Timestamp;
  answer: InquiryAnswer;
}
