import { button, element, keyed, setText } from "../app/dom.js";
import { language, t } from "../app/language.js";

const PAUSE = 600;

/** The text of the file with line numbers, and the problems that the server finds in it. */
export class SourceEditor {
  #timer = null;
  #lines = 0;

  constructor(document) {
    this.document = document;
    this.numbers = element("pre", { class: "line-numbers", "aria-hidden": "true" });
    this.area = element("textarea", { value: document.text, class: "code", spellcheck: "false", autocomplete: "off", autocapitalize: "off", wrap: "off", "aria-label": t("editor.source"), readonly: !document.editable });
    this.problems = element("ul", { class: "problems" });
    this.state = element("p", { class: "quiet-text", role: "status" });
    this.node = element("section", { class: "card source" }, element("div", { class: "code-frame" }, this.numbers, this.area), this.state, this.problems);
    this.#count();
    this.area.addEventListener("scroll", () => (this.numbers.scrollTop = this.area.scrollTop));
    this.area.addEventListener("input", () => {
      this.#count();
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.commit(), PAUSE);
    });
  }

  /** Sends a text that was typed and not checked yet. */
  commit() {
    if (this.#timer === null) return Promise.resolve();
    clearTimeout(this.#timer);
    this.#timer = null;
    return this.document.setText(this.area.value);
  }

  show() {
    if (this.#timer === null && this.area.value !== this.document.text) {
      this.area.value = this.document.text;
      this.#count();
    }
    const { problems, warnings } = this.document;
    const state = problems.length ? t("editor.problems", { count: problems.length }) : warnings.length ? t("editor.warnings", { count: warnings.length }) : t("editor.noProblems");
    setText(this.state, state);
    keyed(this.problems, (problems.length ? problems : warnings).map((text, index) => ({ text, index })), (problem) => `${problem.index} ${problem.text}`, ({ text }) => {
      const line = Number(/(?:^|:)\s*(?:line )?(\d+)(?:, column \d+)?(?=:)/.exec(text)?.[1]);
      return element("li", { lang: language() === "en" ? null : "en" }, line ? button(text, () => this.goTo(line), { class: "link" }) : text);
    });
  }

  /** Moves the caret to a line. */
  goTo(line) {
    const lines = this.area.value.split("\n");
    const start = lines.slice(0, line - 1).reduce((sum, text) => sum + text.length + 1, 0);
    this.area.focus();
    this.area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
    this.area.scrollTop = Math.max(0, (line - 4) * parseFloat(getComputedStyle(this.area).lineHeight));
  }

  #count() {
    const lines = this.area.value.split("\n").length;
    if (lines === this.#lines) return;
    this.#lines = lines;
    this.numbers.textContent = Array.from({ length: lines }, (_, index) => index + 1).join("\n");
    this.numbers.scrollTop = this.area.scrollTop;
  }
}
