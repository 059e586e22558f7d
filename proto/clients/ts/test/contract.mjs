// Generates contract.gen.ts from the interface description: for every schema, filter, operation and list of codes the
// described type, and a line that compiles only if the client has exactly that type.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";

const description = parse(readFileSync(new URL("../../../openapi/seller-open-api.yaml", import.meta.url), "utf8"));
const { schemas, parameters, responses } = description.components;
const lines = [
  "// Written by contract.mjs; not kept.",
  'import type * as api from "../src/index.js";',
  "type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;",
  "function same<_Holds extends true>(): void {}",
  "export function contract(): void {",
];
const operations = [];

const last = (ref) => ref.split("/").at(-1);
const union = (values) => values.map((value) => JSON.stringify(value)).join(" | ");
const isRecord = (schema) => schema.type === "object" && schema.properties !== undefined;

/** The TypeScript type that a schema describes. */
function typeOf(schema) {
  if (schema.$ref) {
    const name = last(schema.$ref);
    return isRecord(schemas[name]) ? `api.${name}` : typeOf(schemas[name]);
  }
  if (schema.oneOf) return schema.oneOf.map(typeOf).join(" | ");
  const kinds = [schema.type].flat().map((kind) => {
    if (kind === "string" && schema.enum) return union(schema.enum);
    if (kind === "string" && schema["x-extensible-enum"]) return `api.Open<${union(schema["x-extensible-enum"])}>`;
    if (kind === "array") return `(${typeOf(schema.items)})[]`;
    return { string: "string", integer: "number", boolean: "boolean", null: "null" }[kind];
  });
  return kinds.join(" | ");
}

function record(schema) {
  const members = Object.entries(schema.properties).map(
    ([name, property]) => `${name}${schema.required?.includes(name) ? "" : "?"}: ${typeOf(property)}`,
  );
  return `{ ${members.join("; ")} }`;
}

for (const [name, schema] of Object.entries(schemas)) {
  if (!isRecord(schema) || /Envelope$|Meta$|^Failure$/.test(name)) continue;
  lines.push(`  same<Same<api.${name}, ${record(schema)}>>();`);
}
lines.push(`  same<Same<api.ErrorCode, ${typeOf(schemas.ErrorCode)}>>();`);

for (const [path, item] of Object.entries(description.paths)) {
  for (const method of ["get", "post"]) {
    const operation = item[method];
    if (!operation || operation.tags.includes("Description")) continue;
    const name = operation.operationId.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
    const given = [];
    if (path.includes("{")) given.push("string");
    const query = (operation.parameters ?? []).map((one) => parameters[last(one.$ref)]).filter((one) => one.in === "query");
    if (query.length > 0) {
      const members = query.map((one) => `${one.name}?: ${last(one.schema.$ref ?? "") === "RequestTime" ? "api.Time" : typeOf(one.schema)}`);
      given.push(`filter?: { ${members.join("; ")} } | undefined`);
    }
    const body = operation.requestBody?.content["application/json"].schema;
    if (body) given.push(typeOf(body));
    given.push(`options?: api.${method === "get" ? "Call" : "Process"}Options | undefined`);
    const named = given.map((one, i) => (/^\w+\?: /.test(one) ? one : `_${i}: ${one}`));
    lines.push(`  same<Same<Parameters<api.Client["${name}"]>, [${named.join(", ")}]>>();`);
    const envelope = responses[last(operation.responses["200"].$ref)].content["application/json"].schema;
    const data = schemas[last(envelope.$ref)].properties.data;
    lines.push(`  same<Same<Awaited<ReturnType<api.Client["${name}"]>>, ${typeOf(data)}>>();`);
    operations.push({ name, method: method.toUpperCase(), path, body: body !== undefined });
  }
}
lines.push("}", "", `export const described = ${JSON.stringify(operations, null, 2)};`, "");
writeFileSync(fileURLToPath(new URL("contract.gen.ts", import.meta.url)), lines.join("\n"));
