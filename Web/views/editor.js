import { get } from "../app/api.js";
import { element, replace, select } from "../app/dom.js";
import { t } from "../app/language.js";
import { store } from "../app/store.js";
import { VenueDocument } from "../editor/document.js";
import { VenueEditor } from "../editor/editor.js";

const NEW = "\u0000new";
const TEMPLATE = `format = 1
id = "new-venue"
name = "New venue"

[[level]]
id = "ground"
ordinal = 0
walkable = [[[0, 0], [20, 0], [20, 12], [0, 12]]]
`;

/** The document stays while other views are shown, so that its steps can still be undone. */
let current = null;

addEventListener("beforeunload", (event) => store.get("unsaved") && event.preventDefault());

/** Shows the editor of the venue files. */
export function show(main, scope, [wanted]) {
  const choice = element("div", { class: "field" });
  const note = element("div", { role: "status" });
  const content = element("div", { class: "editor" });
  main.append(element("div", { class: "editor-head" }, element("h1", { tabindex: -1 }, t("view.editor")), choice), note, content);

  let editor = null;
  let ticket = null;

  async function start() {
    let venues;
    try {
      ({ venues } = await get("venues"));
    } catch (error) {
      return fail(error);
    }
    if (!scope.isOpen) return;
    const options = [...venues.map((file) => [file.venue, file.editable ? file.venue : t("editor.readOnlyOption", { venue: file.venue })]), [NEW, t("editor.new")]];
    const first = wanted ?? current?.venue ?? (venues.find((file) => file.editable) ?? venues[0])?.venue ?? NEW;
    const field = select(options, first, (venue) => {
      if (current?.isUnsaved && !confirm(t("editor.leave"))) return void (field.value = current.venue || NEW);
      open(venues, venue, true);
    }, { "aria-label": t("place.venue") });
    replace(choice, field);
    await open(venues, first, current?.venue !== first && !(first === NEW && current?.venue === ""));
  }

  async function open(venues, venue, isNew) {
    const file = venues.find((other) => other.venue === venue);
    replace(note, file && !file.editable && element("p", { class: "notice" }, t("editor.readOnly", { file: file.file })),
      file?.note && element("p", { class: "notice bad" }, t("editor.notActive", { note: file.note })));
    const mine = (ticket = Symbol());
    try {
      const document = !isNew && current ? current : venue === NEW ? await VenueDocument.create(TEMPLATE) : await VenueDocument.open(venue);
      // Another venue may have been chosen meanwhile.
      if (mine !== ticket || !scope.isOpen) return;
      current = document;
    } catch (error) {
      return fail(error);
    }
    if (current.hasDraft) {
      current.hasDraft = false;
      note.append(element("p", { class: "notice" }, t("editor.draft")));
    }
    editor?.close();
    editor = new VenueEditor(current);
    replace(content, editor.node);
    editor.start();
  }

  scope.add(() => editor?.close());
  // A request that failed is repeated when the connection or the daemon returns. An editor that is open keeps its steps.
  scope.add(store.on("returned", () => editor ?? start()));
  const fail = (error) => scope.isOpen && replace(content, element("p", { class: "message" }, error.status ? error.message : t("connection.lost")));
  start();
}
