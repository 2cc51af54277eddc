/** Values of the configuration in the fields of a form: each names its section and key in `data-key`. */

/** @typedef {Record<string, Record<string, any>>} Values By section and key. */

/** The fields of a form that stand for a key of the configuration. */
export function settingFields(form) {
  return [...form.querySelectorAll("[data-key]")];
}

/** Show in the fields what the table uses; what somebody has begun to choose stays until that form's values change. @param {Values} values */
export function fillSettings(form, values) {
  const taken = {};
  const fields = settingFields(form);
  const used = JSON.stringify(fields.map((field) => field.dataset.key.split(".").reduce((table, name) => table?.[name] ?? null, values)));
  if (form.dataset.used === used) {
    return;
  }
  form.dataset.used = used;
  for (const field of fields) {
    const [section, name] = field.dataset.key.split(".");
    const value = values[section]?.[name];
    if (field.dataset.as === "each") {
      taken[field.dataset.key] = (taken[field.dataset.key] ?? -1) + 1;
      field.value = value[taken[field.dataset.key]] ?? "";
    } else if (field.dataset.member) {
      field.checked = value.includes(field.dataset.member);
    } else if (field.type === "checkbox") {
      field.checked = Boolean(value);
    } else {
      field.value = value === null ? "" : String(value);
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
