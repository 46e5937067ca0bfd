// The page of `serve`. All texts of the session are inserted as text, never as markup.

const PAGE = 100;
const ROW = 32;
// Browsers limit the height of an element; Firefox's limit is the lowest, about 17.8 million pixels.
const MAX_SPACE = 8_000_000;
const OVERSCAN = 6;
/** The time in milliseconds to wait for the changes of a content. */
const PATIENCE = 400;

const $ = (id) => document.getElementById(id);
const calm = matchMedia("(prefers-reduced-motion: reduce)");

/** An element with properties, attributes (keys with a dash, and `role`) and children. */
function make(tag, properties = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "role" || key.includes("-")) element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...children);
  return element;
}

async function get(path, parameters = {}, signal = undefined) {
  const response = await fetch(`${path}?${new URLSearchParams(parameters)}`, { signal });
  const answer = await response.json();
  if (answer.error) throw new Error(answer.error);
  return answer;
}

const counted = (count, noun) => `${count.toLocaleString("en-US")} ${noun}${count === 1 ? "" : "s"}`;
const announce = (text) => { $("announcement").textContent = text; };

/** The text and marks of a value. */
const parts = (value) => (Array.isArray(value) ? value : [value, ""]);

// MARK: The session

let entries = [];
let commands = [];
let chosenSource = null;
let after = 0;

async function begin() {
  const answer = await get("session");
  after = answer.after;
  show(answer.session);
  listen();
}

function show(session) {
  commands = session.commands;
  entries = session.entries;
  $("commands").textContent = commands.join("\n");
  if (!entries.some((entry) => entry.source === chosenSource)) {
    chosenSource = entries[0]?.source ?? null;
  }
  showTabs();
  showEntry();
}

const entryOf = (source) => entries.find((entry) => entry.source === source);

function showTabs() {
  const tabs = $("tabs");
  const hadFocus = tabs.contains(document.activeElement);
  tabs.replaceChildren(
    ...entries.map((entry) => make("button", {
      type: "button", role: "tab", textContent: entry.name, "aria-controls": "panel",
      "aria-selected": String(entry.source === chosenSource),
      tabIndex: entry.source === chosenSource ? 0 : -1,
      onclick: () => choose(entry.source),
    })));
  if (hadFocus) tabs.querySelector('[aria-selected="true"]')?.focus();
}

$("tabs").addEventListener("keydown", (event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step || entries.length === 0) return;
  const position = entries.findIndex((entry) => entry.source === chosenSource);
  choose(entries[(position + step + entries.length) % entries.length].source);
  event.preventDefault();
});

function choose(source) {
  chosenSource = source;
  showTabs();
  showEntry();
}

function showEntry() {
  const entry = entryOf(chosenSource);
  document.title = entry ? `${entry.name} – dsshell` : "dsshell";
  $("status").textContent = entry?.status ?? "";
  const notice = $("notice");
  notice.classList.toggle("problem", Boolean(entry?.error));
  notice.hidden = !(entry?.error || entry?.isDropped);
  if (entry?.isDropped) notice.textContent = `${entry.name} was dropped; this is its last content.`;
  if (entry?.error) {
    notice.textContent = `The last fetch failed: ${entry.error}`
      + (entry.fetched ? " The old content is shown." : "");
  }
  showTree(entry?.tree ?? []);
  table.show(entry);
  lanesAreOld = true;
  drawLanes();
}

// MARK: Messages

let stream = null;

function listen() {
  stream?.close();
  stream = new EventSource(`events?after=${after}`);
  stream.onopen = () => connection("connected", false);
  stream.onerror = () => connection("the session does not answer", true);
  stream.onmessage = (message) => {
    if (message.lastEventId) after = Number(message.lastEventId);
    receive(JSON.parse(message.data));
  };
}

function connection(text, isLost) {
  $("connection").textContent = text;
  $("connection").classList.toggle("lost", isLost);
}

function receive(message) {
  switch (message.type) {
    case "event": addEvent(message); break;
    case "session": show(message.session); break;
    case "content": {
      const position = entries.findIndex((entry) => entry.source === message.entry.source);
      if (position < 0) break;
      entries[position] = message.entry;
      if (message.entry.source === chosenSource) showEntry();
      break;
    }
    case "lost":
      stream.close();
      begin().catch(() => connection("the session does not answer", true));
      break;
    case "ended":
      stream.close();
      connection("no longer served", true);
      break;
  }
}

// A browser opens few connections to one host: hidden windows need none.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) stream?.close();
  else if (stream?.readyState === EventSource.CLOSED) listen();
});

// MARK: The table view

class Table {
  constructor(grid, index) {
    this.grid = grid;
    this.index = index;
    this.entry = null;
    this.pages = new Map();
    this.elements = new Map();
    this.top = 0;
    this.current = -1;
    this.chosen = null;
    this.widths = null;
    this.space = make("div", { className: "space", role: "presentation" });
    this.layer = make("div", { className: "layer", role: "presentation" });
    this.keys = make("div", { className: "keys", role: "rowgroup" });
    this.rows = make("div", { className: "rows", role: "rowgroup" });
    this.stays = make("div", { className: "row stays", "aria-hidden": "true", hidden: true });
    this.rows.append(this.stays);
    this.layer.append(this.keys, this.rows);
    this.space.append(this.layer);
    grid.append(this.space);
    grid.addEventListener("scroll", () => this.scrolled());
    grid.addEventListener("keydown", (event) => this.pressed(event));
    grid.addEventListener("click", (event) => this.clicked(event));
    new ResizeObserver(() => this.resized()).observe(grid);
    this.buildIndexKeys();
  }

  // Items, heights and places.

  get count() { return this.entry?.items ?? 0; }
  /** With the row that says how to fetch the next page. */
  get total() { return this.count + (this.entry?.nextPage && this.entry.fetched ? 1 : 0); }
  get viewHeight() { return Math.max(ROW, this.grid.clientHeight - ROW); }
  get height() { return this.total * ROW; }
  get maxTop() { return Math.max(0, this.height - this.viewHeight); }
  get spaceHeight() { return Math.min(this.height, MAX_SPACE); }
  get maxScroll() { return Math.max(0, this.spaceHeight - this.viewHeight); }

  /** Scrolls by pixels near the place, and in proportion over longer distances. */
  scrolled() {
    const scroll = this.grid.scrollTop;
    const distance = scroll - this.lastScroll;
    if (distance === 0) { this.render(); return; }
    this.lastScroll = scroll;
    if (this.maxTop <= this.maxScroll) {
      this.top = scroll;
    } else if (Math.abs(distance) < this.viewHeight * 3) {
      this.top += distance;
    } else {
      this.top = (scroll / this.maxScroll) * this.maxTop;
    }
    this.top = Math.min(Math.max(0, this.top), this.maxTop);
    this.render();
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle(), 150);
  }

  /** Moves the scroll bar to the place that is shown. */
  settle() {
    const scroll = this.maxTop <= this.maxScroll
      ? this.top : (this.top / this.maxTop) * this.maxScroll;
    this.grid.scrollTop = scroll;
    this.lastScroll = this.grid.scrollTop;
  }

  scrollTo(top) {
    this.top = Math.min(Math.max(0, top), this.maxTop);
    this.settle();
    this.render();
  }

  reveal(item) {
    const y = item * ROW;
    const covered = this.entry.hasHeaders ? ROW : 0;
    if (y - covered < this.top) this.scrollTo(y - covered);
    else if (y + ROW > this.top + this.viewHeight) this.scrollTo(y + ROW - this.viewHeight);
  }

  resized() {
    this.layer.style.height = `${this.grid.clientHeight}px`;
    this.scrollTo(this.top);
  }

  // Content.

  show(entry) {
    const before = this.entry;
    const isSame = before?.source === entry?.source;
    if (isSame && before?.content === entry?.content) {
      this.entry = entry;
      this.layout();
      this.render();
      return;
    }
    if (isSame && before?.content && entry?.content) {
      this.pending = entry;
      // One change at a time: each animation ends with the content that the next one begins with.
      this.changing ??= this.followChanges().finally(() => { this.changing = null; });
      return;
    }
    this.pending = null;
    this.entry = entry;
    this.current = -1;
    this.reset();
    this.top = 0;
    this.widths = null;
    this.layout();
    this.scrollTo(0);
    this.loadIndex();
  }

  reset() {
    this.pages = new Map();
    for (const element of this.elements.values()) element.remove();
    this.elements = new Map();
  }

  layout() {
    const entry = this.entry;
    this.space.style.height = `${this.spaceHeight + ROW}px`;
    this.grid.setAttribute("aria-rowcount", String(this.total + 1));
    this.grid.setAttribute("aria-colcount", String((entry?.columns?.length ?? 0) + 1));
    this.grid.setAttribute("aria-label", entry ? `Objects of ${entry.name}` : "Objects");
    const hidden = entry?.hiddenColumns ?? 0;
    const cells = ["", ...(entry?.columns ?? [])].map((key, column) => make("div", {
      className: column === 0 ? "cell path" : "cell", role: "columnheader",
      textContent: column === 0 ? "path" : key, title: key, "aria-colindex": String(column + 1),
    }));
    if (hidden > 0) {
      cells.push(make("div", {
        className: "cell null", role: "columnheader",
        textContent: `… ${counted(hidden, "more key")}; choose a row to see all`,
      }));
    }
    const row = make("div", { className: "row keys", role: "row", "aria-rowindex": "1" }, ...cells);
    this.keys.replaceChildren(row);
    this.keys.hidden = !entry?.content;
    this.measure(this.pages.values().next().value);
    let hint = "";
    if (!entry) hint = "Nothing is served: enter `serve SOURCE` at the prompt.";
    else if (!entry.content) hint = `${entry.name} has no content yet: enter \`fetch ${entry.name}\`.`;
    else if (entry.items === 0) hint = "No objects.";
    this.hint ??= this.rows.appendChild(make("p", { className: "hint status" }));
    this.hint.textContent = hint;
    this.hint.hidden = hint === "";
  }

  /** Widens the columns for the texts of a page. Rows are laid out one by one, so that widths must not
      depend on the texts of a row. */
  measure(page) {
    const entry = this.entry;
    if (!entry?.columns || (this.widths && page?.isMeasured)) return;
    const digits = String(entry.sections).length + String(entry.objects).length;
    this.widths ??= [3.2 + digits * 0.55, ...entry.columns.map((key) => this.width([...key].length)),
      ...(entry.hiddenColumns > 0 ? [24] : [])];
    for (const item of page?.items ?? []) {
      item.c?.forEach((value, column) => {
        this.widths[column + 1] = Math.max(this.widths[column + 1], this.width(parts(value)[0].length));
      });
    }
    if (page) page.isMeasured = true;
    const sum = this.widths.reduce((sum, width) => sum + width, 0);
    this.layer.style.setProperty("--columns", this.widths.map((width) => `${width}em`).join(" "));
    this.layer.style.width = `max(100%, ${sum}em)`;
    this.space.style.width = `max(100%, ${sum}em)`;
  }

  /** In em. */
  width(characters) { return 1.5 + 0.62 * Math.min(Math.max(characters, 4), 40); }

  /** Loads a page of a content into a map, unless it has it. */
  async page(number, entry = this.entry, pages = this.pages) {
    if (pages.has(number)) return;
    pages.set(number, { items: [], headers: [] });
    try {
      const { source, content } = entry;
      pages.set(number, await get("rows", { source, content, start: number * PAGE }));
    } catch (error) {
      // A newer content follows, or the content can no longer be read.
      pages.set(number, { items: [], headers: [], error: error.message });
    }
    if (pages !== this.pages) return;
    this.measure(pages.get(number));
    this.render();
    // Few pages stay: those around the place.
    if (pages.size <= 200) return;
    const nearest = Math.floor(this.top / ROW / PAGE);
    for (const key of [...pages.keys()]) {
      if (Math.abs(key - nearest) > 50) pages.delete(key);
    }
  }

  item(position) {
    const number = Math.floor(position / PAGE);
    const page = this.pages.get(number);
    if (!page) this.page(number);
    return page?.error ? { error: page.error } : page?.items[position - number * PAGE];
  }

  async loadIndex() {
    const entry = this.entry;
    let titles = [];
    if (entry?.content && entry.hasHeaders) {
      try {
        titles = await get("index", { source: entry.source, content: entry.content });
      } catch { titles = []; }
    }
    if (entry !== this.entry) return;
    this.titles = titles;
    this.showIndex();
  }

  // Drawing.

  render() {
    if (!this.entry) { this.reset(); this.stays.hidden = true; return; }
    const first = Math.max(0, Math.floor(this.top / ROW) - OVERSCAN);
    const end = Math.min(this.total, Math.ceil((this.top + this.viewHeight) / ROW) + OVERSCAN);
    for (const [position, element] of this.elements) {
      if (position < first || position >= end) {
        element.remove();
        this.elements.delete(position);
      }
    }
    for (let position = first; position < end; position += 1) {
      const item = position < this.count ? this.item(position) : { more: true };
      let element = this.elements.get(position);
      if (!element || element.item !== item) {
        const drawn = this.draw(position, item);
        if (element) element.replaceWith(drawn);
        else this.rows.insertBefore(drawn, this.elements.get(position + 1) ?? null);
        this.elements.set(position, drawn);
        element = drawn;
      }
      element.style.transform = `translateY(${position * ROW - this.top}px)`;
      element.classList.toggle("current", position === this.current);
      const isChosen = this.isChosen(item);
      element.classList.toggle("chosen", isChosen);
      if (item?.c) element.setAttribute("aria-selected", String(isChosen));
    }
    this.drawStaying();
    const current = this.elements.get(this.current);
    if (current) this.grid.setAttribute("aria-activedescendant", current.id);
    else this.grid.removeAttribute("aria-activedescendant");
  }

  isChosen(item) {
    const chosen = this.chosen;
    return Boolean(
      chosen && item?.c && chosen.source === this.entry.source && chosen.s === item.s
        && chosen.r === item.r);
  }

  draw(position, item) {
    const properties = { id: `item-${position}`, role: "row", "aria-rowindex": String(position + 2) };
    const columns = String((this.entry.columns?.length ?? 0) + 1);
    let element;
    if (!item || item.error) {
      element = make("div", { ...properties, className: "row placeholder", "aria-busy": "true" });
      if (item?.error) {
        element.className = "row more";
        element.removeAttribute("aria-busy");
        element.append(make("span", { role: "gridcell", className: "problem", textContent: item.error }));
      } else {
        element.append(make("div", {
          className: "cell", role: "gridcell", "aria-label": "loading", "aria-colspan": columns,
        }));
      }
    } else if (item.more) {
      const command = `fetchNextPage ${this.entry.name}`;
      element = make("div", { ...properties, className: "row more" },
        make("span", { role: "gridcell", "aria-colspan": columns },
          "There are more pages: ", make("code", { textContent: command })));
    } else if (item.c) {
      const path = `[${item.s}, ${item.r}]`;
      element = make("div", { ...properties, className: "row" },
        make("div", { className: "cell path", role: "rowheader", textContent: path, "aria-colindex": "1" }),
        ...item.c.map((value, column) => {
          const [text, marks] = parts(value);
          const kind = marks.includes("n") ? " number" : /[0-]/.test(marks) ? " null" : "";
          return make("div", {
            className: `cell${kind}`, role: "gridcell", textContent: text, title: text,
            "aria-colindex": String(column + 2), dir: "auto",
          });
        }));
    } else {
      element = make("div", { ...properties, className: "row section" }, ...this.title(item, columns));
    }
    element.item = item;
    element.position = position;
    return element;
  }

  title(header, columns) {
    const [text] = parts(header.t);
    return [
      make("span", {
        className: "title", role: "rowheader", "aria-colspan": columns, dir: "auto",
        textContent: text === "" ? "(empty title)" : text,
      }),
      make("span", { className: "count", role: "gridcell", textContent: counted(header.n, "object") }),
    ];
  }

  /** The header of the section at the top stays until the next one pushes it away. */
  drawStaying() {
    const position = Math.floor(this.top / ROW);
    const page = this.pages.get(Math.floor(position / PAGE));
    const header = page?.headers?.findLast((header) => header.start <= position);
    const isNeeded = Boolean(header && this.entry.hasHeaders && this.count > 0);
    this.stays.hidden = !isNeeded;
    if (!isNeeded) return;
    if (this.stays.header !== header) {
      this.stays.header = header;
      const children = this.title(header, "1");
      for (const child of children) child.removeAttribute("role");
      this.stays.replaceChildren(...children);
    }
    const next = (header.start + header.n + 1) * ROW - this.top;
    this.stays.style.transform = `translateY(${Math.min(0, next - ROW)}px)`;
    // A section of the index is the current one until another begins.
    const active = (this.titles ?? []).findLastIndex(([, start]) => start <= position);
    [...this.index.children].forEach((button, number) => {
      if (number === active) button.setAttribute("aria-current", "true");
      else button.removeAttribute("aria-current");
    });
  }

  // Changes.

  async followChanges() {
    while (this.pending) {
      const entry = this.pending;
      this.pending = null;
      const before = this.entry;
      if (!before || before.source !== entry.source || !before.content) break;
      if (before.content === entry.content) {
        this.entry = entry;
        this.layout();
        continue;
      }
      const first = Math.max(0, Math.floor(this.top / ROW) - OVERSCAN);
      const shownCount = Math.ceil(this.viewHeight / ROW) + 2 * OVERSCAN;
      const listing = get("changes", {
        source: entry.source, from: before.content, content: entry.content, first, count: shownCount,
      }).catch(() => null);
      // The new content is shown without an animation if its changes take long to find.
      const changes = await Promise.race([listing, new Promise((done) => setTimeout(done, PATIENCE))]);
      if (this.entry !== before) break;
      if (changes === undefined) {
        showChanges(entry, null);
        listing.then((late) => { if (this.entry === entry && late) showChanges(entry, late); });
      }
      await this.apply(entry, changes, first);
    }
  }

  async apply(entry, changes, first) {
    const positions = new Map();
    changes?.positions?.forEach((position, offset) => positions.set(first + offset, position));
    // Loaded before it is shown, so that no placeholders appear.
    const pages = new Map();
    const top = this.topAfter(positions);
    const firstPage = Math.floor(Math.max(0, top / ROW - OVERSCAN) / PAGE);
    const lastItem = Math.min(entry.items - 1, (top + this.viewHeight) / ROW + OVERSCAN);
    const loading = [];
    for (let page = firstPage; page <= Math.floor(lastItem / PAGE); page += 1) {
      loading.push(this.page(page, entry, pages));
    }
    const before = this.entry;
    await Promise.all(loading);
    if (this.entry !== before) return;
    const old = new Map();
    const ghosts = [];
    for (const [position, element] of this.elements) {
      const y = position * ROW - this.top;
      old.set(position, y);
      if (positions.get(position) === -1) ghosts.push([element, y]);
      element.remove();
    }
    const current = positions.get(this.current);
    this.top = this.topAfter(positions);
    this.entry = entry;
    this.pages = pages;
    this.elements = new Map();
    this.current = current !== undefined && current >= 0
      ? current : Math.min(this.current, this.total - 1);
    this.layout();
    for (const page of pages.values()) this.measure(page);
    this.scrollTo(this.top);
    this.animate(changes, positions, old, ghosts);
    if (changes !== undefined) showChanges(entry, changes);
    this.loadIndex();
    if (this.chosen?.source === entry.source) this.explainAgain(positions);
  }

  /** The first item that stays keeps its place, unless the list is at its beginning. */
  topAfter(positions) {
    if (this.top <= 0) return 0;
    for (let position = Math.floor(this.top / ROW); positions.has(position); position += 1) {
      if (positions.get(position) >= 0) {
        return this.top + (positions.get(position) - position) * ROW;
      }
    }
    return this.top;
  }

  animate(changes, positions, old, ghosts) {
    if (!changes?.positions || calm.matches) {
      for (const position of [...(changes?.inserted ?? []), ...(changes?.updated ?? [])]) {
        this.elements.get(position)?.classList.add("fresh");
      }
      return;
    }
    const timing = { duration: 350, easing: "ease" };
    for (const [position, y] of old) {
      const moved = positions.get(position);
      const element = this.elements.get(moved);
      const now = moved * ROW - this.top;
      if (element && now !== y) {
        element.animate(
          [{ transform: `translateY(${y}px)` }, { transform: `translateY(${now}px)` }], timing);
      }
    }
    for (const [element, y] of ghosts) {
      element.classList.add("ghost");
      element.removeAttribute("id");
      element.setAttribute("aria-hidden", "true");
      this.rows.append(element);
      const place = `translateY(${y}px)`;
      element.animate(
        [{ transform: place, opacity: 1 }, { transform: `${place} translateX(-40px)`, opacity: 0 }],
        timing).finished.finally(() => element.remove());
    }
    const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name);
    for (const position of changes.inserted) {
      const element = this.elements.get(position);
      if (!element) continue;
      const place = element.style.transform;
      element.animate([{ transform: `${place} scaleY(0.2)`, opacity: 0 }, { transform: place, opacity: 1 }], timing);
      element.animate([{ background: color("--fresh") }, { background: color("--fresh"), offset: 0.7 }, {}], 1800);
    }
    for (const position of changes.updated) {
      this.elements.get(position)?.animate(
        [{ background: color("--changed") }, { background: color("--changed"), offset: 0.7 }, {}], 1800);
    }
  }

  // Choosing rows.

  clicked(event) {
    const row = event.target.closest(".row");
    if (!row || row.position === undefined) return;
    this.current = row.position;
    this.choose();
    this.render();
  }

  choose() {
    const item = this.current < this.count ? this.item(this.current) : null;
    if (!item?.c) return;
    this.chosen = { source: this.entry.source, s: item.s, r: item.r };
    explain(this.entry, item.s, item.r);
  }

  /** The chosen row may have moved or left. */
  explainAgain(positions) {
    const position = this.current;
    const item = position >= 0 && position < this.count ? this.item(position) : null;
    if (![...positions.values()].includes(position) || !item?.c) return;
    this.chosen = { source: this.entry.source, s: item.s, r: item.r };
    explain(this.entry, item.s, item.r);
    this.render();
  }

  pressed(event) {
    if (!this.entry || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.viewHeight / ROW) - 1);
    const from = this.current;
    const moves = {
      ArrowDown: from + 1, ArrowUp: from < 0 ? 0 : from - 1, PageDown: Math.max(0, from) + page,
      PageUp: from - page, Home: 0, End: this.total - 1,
    };
    if (event.altKey && (event.key === "ArrowDown" || event.key === "ArrowUp")) {
      this.moveSection(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "ArrowLeft" || event.key === "ArrowRight") {
      this.grid.scrollLeft += event.key === "ArrowLeft" ? -80 : 80;
    } else if (event.key in moves) {
      this.move(moves[event.key]);
    } else if (event.key === "Enter" || event.key === " ") {
      this.choose();
      this.render();
    } else {
      return;
    }
    event.preventDefault();
  }

  move(position) {
    if (this.total === 0) return;
    this.current = Math.min(Math.max(0, position), this.total - 1);
    this.reveal(this.current);
    this.render();
  }

  moveSection(step) {
    const position = Math.max(0, this.current);
    const page = this.pages.get(Math.floor(position / PAGE));
    const header = page?.headers?.findLast((header) => header.start <= position);
    if (!header) return;
    if (step > 0) this.move(header.start + header.n + 1);
    else this.move(position > header.start ? header.start : header.start - 1);
  }

  // The section index.

  showIndex() {
    const shown = this.thinned();
    this.index.hidden = shown.length === 0;
    this.index.replaceChildren(
      ...shown.map(([title, start], number) => make("button", {
        type: "button", textContent: title, title: `Section ${title}`, tabIndex: number === 0 ? 0 : -1,
        "aria-label": `Section ${title}`, onclick: () => this.jump(start),
      })));
  }

  /** As many titles as fit. */
  thinned() {
    const titles = this.titles ?? [];
    const room = Math.max(1, Math.floor(this.grid.clientHeight / 17));
    if (titles.length <= room) return titles;
    return Array.from({ length: room }, (_, n) => titles[Math.floor((n * titles.length) / room)]);
  }

  jump(start) {
    this.current = start;
    this.scrollTo(start * ROW);
  }

  buildIndexKeys() {
    this.index.addEventListener("keydown", (event) => {
      const buttons = [...this.index.children];
      const position = buttons.indexOf(document.activeElement);
      const moves = { ArrowDown: position + 1, ArrowUp: position - 1, Home: 0, End: buttons.length - 1 };
      const button = buttons[moves[event.key]];
      if (!button) return;
      for (const other of buttons) other.tabIndex = other === button ? 0 : -1;
      button.focus();
      event.preventDefault();
    });
    // As a finger slides along the index, the sections follow.
    this.index.addEventListener("pointermove", (event) => {
      if (event.buttons === 0) return;
      document.elementFromPoint(event.clientX, event.clientY)?.closest(".index button")?.click();
    });
  }
}

// MARK: The chosen row

let explained = 0;
let explaining = null;
/** The session answers only the last question of a window. */
const thisWindow = Math.floor(Math.random() * 2 ** 52);

async function explain(entry, section, row) {
  explained += 1;
  const number = explained;
  explaining?.abort();
  explaining = new AbortController();
  const { signal } = explaining;
  const chosen = $("chosen");
  const path = `[${section}, ${row}]`;
  const parameters = { source: entry.source, content: entry.content, section, row };
  const fields = make("dl", { className: "fields" });
  const reason = make("div", {}, make("p", { className: "hint", textContent: "asking the session …" }));
  chosen.replaceChildren(
    make("p", { className: "headline", textContent: `${entry.name} ${path}` }), reason, fields,
    command(`explain ${entry.name} ${path}`));
  const values = get("object", parameters).then((object) => {
    object.fields.forEach(([key, value], field) => {
      const [text, marks] = parts(value);
      const shown = make("dd", { dir: "auto", textContent: text });
      if (marks.includes("+")) {
        const address = `value?${new URLSearchParams({ ...parameters, field })}`;
        shown.append(make("a", {
          href: address, target: "_blank", rel: "noopener", textContent: "all of it",
          "aria-label": `All of ${key}`,
        }));
      }
      fields.append(make("dt", { textContent: key, dir: "auto" }), shown);
    });
    if (object.hiddenFields > 0) {
      fields.append(make("dt", { textContent: "…" }),
        make("dd", { textContent: `${counted(object.hiddenFields, "more key")}: object ${entry.name} ${path}` }));
    }
  }).catch((error) => fields.replaceChildren(make("dt", { className: "problem", textContent: error.message })));
  const explanation = get("explain", { ...parameters, window: thisWindow }, signal).then((report) => {
    if (number !== explained) return;
    const notes = make("dl", { className: "fields" });
    for (const [subject, text] of report.notes) {
      notes.append(make("dt", { textContent: subject }), make("dd", { textContent: text }));
    }
    reason.replaceChildren(make("p", { textContent: report.headline }), notes);
  }).catch((error) => {
    if (number === explained) {
      reason.replaceChildren(make("p", { className: "problem", textContent: error.message }));
    }
  });
  await Promise.all([values, explanation]);
}

/** A command with a button that copies it. */
function command(text) {
  return make("button", {
    type: "button", "aria-label": `Copy ${text}`, onclick: () => copy(text),
  }, "Copy ", make("code", { textContent: text }));
}

async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    announce("copied");
  } catch {
    announce("the browser does not allow copying; select the text");
  }
}

$("copy").addEventListener("click", () => copy(commands.join("\n") + "\n"));

// MARK: Changes

function showChanges(entry, changes) {
  const place = $("changes");
  if (!changes) {
    place.replaceChildren(make("p", { textContent: `${entry.name} has new content.` }));
    return;
  }
  const batches = changes.batches > 1 ? ` in ${changes.batches} batches` : "";
  const headline = changes.count === 0
    ? `${entry.name}: no change` : `${entry.name}: ${counted(changes.count, "change")}${batches}`;
  const list = make("ol", { className: "changes" },
    ...changes.lines.map((line) => make("li", { textContent: line })));
  place.replaceChildren(make("p", { className: "headline", textContent: headline }), list);
  const hidden = changes.count - changes.lines.length;
  if (hidden > 0) place.append(make("p", { className: "hint", textContent: `… ${counted(hidden, "more change")}: diff ${entry.name}` }));
}

// MARK: The tree

let currentNode = 0;

function showTree(nodes) {
  currentNode = Math.min(currentNode, Math.max(0, nodes.length - 1));
  const tree = $("tree");
  tree.replaceChildren(...nodes.map((node, number) => {
    const element = make("div", {
      className: `node${number === currentNode ? " current" : ""}`, role: "row", id: `node-${number}`,
      "aria-level": String(node.depth + 1), "aria-rowindex": String(number + 1),
    },
    make("span", { className: "name", role: "gridcell", textContent: node.name }),
    make("span", { className: "summary", role: "gridcell", textContent: node.summary }),
    make("span", { className: "state", role: "gridcell", textContent: node.state }));
    element.style.marginLeft = `${Math.min(node.depth, 12) * 16}px`;
    return element;
  }));
  tree.setAttribute("aria-rowcount", String(nodes.length));
  if (nodes.length > 0) tree.setAttribute("aria-activedescendant", `node-${currentNode}`);
  else tree.removeAttribute("aria-activedescendant");
}

$("tree").addEventListener("keydown", (event) => {
  const count = $("tree").children.length;
  const moves = { ArrowDown: currentNode + 1, ArrowUp: currentNode - 1, Home: 0, End: count - 1 };
  if (!(event.key in moves)) return;
  currentNode = Math.min(Math.max(0, moves[event.key]), count - 1);
  showTree(entryOf(chosenSource)?.tree ?? []);
  $("tree").children[currentNode]?.scrollIntoView({ block: "nearest" });
  event.preventDefault();
});

// MARK: Events

const MOST_EVENTS = 300;

function addEvent(message) {
  const events = $("events");
  const isAtEnd = events.scrollTop + events.clientHeight >= events.scrollHeight - 40;
  events.append(make("div", { role: "row" },
    make("span", { role: "cell", className: "time", textContent: `${(message.time / 1000).toFixed(3)} s` }),
    make("span", { role: "cell", textContent: message.name }),
    make("span", { role: "cell", className: `is-${message.event}`, textContent: message.event }),
    make("span", { role: "cell", textContent: message.detail })));
  while (events.children.length > MOST_EVENTS) events.firstElementChild.remove();
  if (isAtEnd) events.scrollTop = events.scrollHeight;
  lanesAreOld = true;
  drawLanes();
}

let lanesAreOld = false;
let lanesTimer = null;

/** Draws the lanes again, at most ten times a second. */
function drawLanes() {
  if (lanesTimer !== null || !lanesAreOld) return;
  lanesAreOld = false;
  lanesTimer = setTimeout(() => { lanesTimer = null; drawLanes(); }, 100);
  const entry = entryOf(chosenSource);
  const image = $("lanes");
  image.hidden = !entry;
  if (!entry) return;
  image.onload = () => { $("sequence").scrollTop = $("sequence").scrollHeight; };
  image.alt = `Lanes of the events of ${entry.name}; the list below has the same events`;
  image.src = `lanes.svg?${new URLSearchParams({ source: entry.source, after })}`;
}

const table = new Table($("grid"), $("index"));
table.lastScroll = 0;
begin().catch((error) => connection(error.message, true));
