import { post } from "../app/api.js";
import { button, element, labelled, select, setText } from "../app/dom.js";
import { dateTime, t } from "../app/language.js";
import { failure, pagedList } from "./loading.js";
import { ago, table } from "./tables.js";

const ROLES = ["viewer", "operator", "owner"];

/**
 * Returns the sections in which an owner of a site grants and revokes roles, and reads the changes. `load()` shows the present ones, except
 * while a role is being chosen.
 */
export function peopleSections(site) {
  const message = element("p", { class: "message", role: "status" });
  const change = async (person, role) => {
    try {
      await post("grant", { site, person, role });
      setText(message, "");
      await Promise.all([people.load(), changes.load()]);
    } catch (error) {
      setText(message, failure(error));
    }
  };
  const rows = table(t("people.title"), [
    { key: "person", isHead: true, cell: (row) => row.person },
    { key: "role", cell: (row) => row.isAdministrator ? t("role.administrator") : select(ROLES.map((role) => [role, t(`role.${role}`)]), row.role, (role) => change(row.person, role),
      { "aria-label": t("people.roleOf", { person: row.person }) }) },
    { key: "since", cell: (row) => ago(row.since) },
    { key: "action", cell: (row) => row.isAdministrator ? "–" : button(t("people.revoke"),
      () => confirm(t("people.confirm", { person: row.person })) && change(row.person, ""),
      { class: "danger", "aria-label": t("people.revokeOf", { person: row.person }) }) },
  ]);
  const audit = table(t("audit.title"), [
    { key: "time", isHead: true, cell: (row) => element("time", { datetime: row.time }, dateTime(row.time)) },
    { key: "actor", cell: (row) => row.actor },
    { key: "action", cell: (row) => [t(`action.${row.action}`), " ", row.subject, row.detail && `: ${row.detail}`] },
  ]);
  const people = pagedList("people", { site }, "people", rows.draw);
  const changes = pagedList("audit", { site }, "changes", audit.draw);
  const load = () => Promise.all([
    people.isFirst() && !rows.node.contains(document.activeElement) && people.load(), changes.isFirst() && changes.load()]);

  const person = element("input", { autocomplete: "off", autocapitalize: "off", spellcheck: "false", required: true });
  let role = "viewer";
  const form = element("form", { class: "filters", on: { submit: (event) => {
    event.preventDefault();
    change(person.value.trim(), role).then(() => message.textContent || (person.value = ""));
  } } }, labelled(t("people.name"), person),
  labelled(t("column.role"), select(ROLES.map((name) => [name, t(`role.${name}`)]), role, (name) => (role = name))),
  element("button", { type: "submit" }, t("people.grant")));
  const node = element("section", {}, element("h2", {}, t("people.title")), rows.node, ...people.nodes, form, message,
    element("h2", {}, t("audit.title")), audit.node, ...changes.nodes);
  return { node, load };
}
