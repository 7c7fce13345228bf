// The interface for programs: its description as a page on which every request can be tried.

import { ask, post, takeToken, withQuery } from "./api.js";
import { byId, element } from "./dom.js";
import { clearError, showError } from "./notice.js";

/** The parameters of an operation, of its address or of its body: [{name, description, required, schema}]. */
function parametersOf({ parameters, requestBody }) {
  if (parameters) return parameters;
  const { properties, required } = requestBody.content["application/json"].schema;
  return Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    description,
    required: required.includes(name),
    schema,
  }));
}

function makeField({ name, schema }, example) {
  const choices = schema.type === "boolean" ? ["true", "false"] : schema.enum;
  if (choices) {
    const options = ["", ...choices].map((choice) => element("option", { value: choice }, choice || "default"));
    return element("select", { name }, ...options);
  }
  const number = ["integer", "number"].includes(schema.type);
  const bounds = number ? { min: schema.minimum, max: schema.maximum, step: schema.type === "number" ? "any" : 1 } : {};
  const placeholder = schema.default === undefined ? "" : String(schema.default);
  return element("input", { name, type: number ? "number" : "text", value: example, placeholder, autocomplete: "off", ...bounds });
}

/** The values of a form as the interface wants them; empty ones are left out. */
function valuesOf(form, parameters) {
  const given = parameters.map(({ name, schema }) => [name, form.elements[name].value, schema.type]);
  const convert = { array: (text) => text.split(/[\s,]+/).filter(Boolean), integer: Number, number: Number, boolean: (text) => text === "true" };
  return Object.fromEntries(
    given.filter(([, text]) => text !== "").map(([name, text, type]) => [name, (convert[type] ?? String)(text)]),
  );
}

function describeRequest(method, path, values) {
  const address = `${location.origin}${method === "GET" ? withQuery(path, values) : path}`.replace(/\?$/, "");
  return method === "GET" ? `curl '${address.replaceAll("'", "%27")}'` : `curl ${address} --json '${JSON.stringify(values).replaceAll("'", "'\\''")}'`;
}

function makeEndpoint(path, method, operation, examples) {
  const parameters = parametersOf(operation);
  const labels = parameters.map((one) => element("label", {}, one.name, makeField(one, examples[one.name])));
  const form = element("form", {}, ...labels, element("button", {}, "Try it"));
  const command = element("pre", { hidden: true, tabindex: 0, "aria-label": "Command" });
  const answer = element("pre", { hidden: true, tabindex: 0, "aria-label": "Answer" });
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const values = valuesOf(form, parameters);
    command.textContent = describeRequest(method, path, values);
    command.hidden = answer.hidden = false;
    try {
      const found = method === "GET" ? await ask(path, values) : await post(path, values);
      answer.textContent = JSON.stringify(found, null, 2).slice(0, 20_000);
    } catch (error) {
      answer.textContent = error.message;
    }
    byId("status").textContent = `${path} has answered.`;
  });
  const meanings = parameters.flatMap(({ name, description, required }) => [
    element("dt", {}, name),
    element("dd", {}, `${description}${required ? " Required." : ""}`),
  ]);
  return element(
    "section",
    { class: "endpoint card" },
    element("h3", {}, element("span", { class: "method" }, method), ` ${path}`),
    element("p", {}, operation.summary),
    ...(meanings.length ? [element("dl", {}, ...meanings)] : []),
    form,
    command,
    answer,
  );
}

async function render() {
  try {
    const document_ = await ask("/api/openapi.json");
    const { models } = "/api/models" in document_.paths ? await ask("/api/models") : { models: [] }; // change of meaning alone
    clearError();
    const [first, second] = models[0]?.members[0].examples ?? [];
    const examples = { word: first, words: [first, second].filter(Boolean).join(" "), prefix: first?.slice(0, 2) };
    const source = models.length ? ` The examples are words of the model ${models[0].name}.` : "";
    byId("about").textContent = `${document_.info.description}${source}`;
    byId("version").textContent = `isoalign ${document_.info.version}`;
    const operations = Object.entries(document_.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => makeEndpoint(path, method.toUpperCase(), operation, examples)),
    );
    byId("endpoints").replaceChildren(...operations);
  } catch (error) {
    showError(error, {}, render);
  }
}

takeToken();
await render();
