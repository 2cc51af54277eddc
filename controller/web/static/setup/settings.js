/** Values of the configuration in the fields of a form: each names its section and key in `data-key`. */

import { fillField } from "./fields.js";

/** @typedef {Record<string, Record<string, any>>} Values By section and key. */

/** The fields of a form that stand for a key of the configuration. */
export function settingFields(form) {
  return [...form.querySelectorAll("[data-key]")];
}

/** Show in the fields what the table uses. @param {Values} values */
export function fillSettings(form, values) {
  const taken = {};
  for (const field of settingFields(form)) {
    const [section, name] = field.dataset.key.split(".");
    const value = values[section]?.[name];
    if (field.dataset.as === "each") {
      taken[field.dataset.key] = (taken[field.dataset.key] ?? -1) + 1;
      fillField(field, value[taken[field.dataset.key]] ?? "");
    } else {
      fillField(field, field.dataset.member ? value.includes(field.dataset.member) : value);
    }
  }
}

/** What the fields say, beside what the table uses of their keys. @param {Values} known @returns {Values} */
export function settingsOf(form, known) {
  /** @type {Values} */
  const values = {};
  for (const field of settingFields(form)) {
    const [section, name] = field.dataset.key.split(".");
    const chosen = (values[section] ??= {});
    if (field.dataset.as === "each") {
      chosen[name] = [...new Set([...(chosen[name] ?? []), ...(field.value ? [field.value] : [])])];
    } else if (field.dataset.member) {
      const others = known[section][name].filter((one) => one !== field.dataset.member);
      chosen[name] = field.checked ? [...others, field.dataset.member] : others;
    } else if (field.type === "checkbox") {
      chosen[name] = field.checked;
    } else if (field.type === "number" || field.type === "range") {
      chosen[name] = field.value === "" ? null : Number(field.value);
    } else {
      chosen[name] = field.value.trim();
    }
  }
  return values;
}
