"use strict";
(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const ROLES = ["is-focus", "is-image", "is-blanket", "is-reached", "is-start"];
  const at = (object, key) => (Object.hasOwn(object, key) ? object[key] : undefined);
  const steps = (k) => (k === 1 ? "1 gradient step" : `${k} gradient steps`);

  class Panel {
    constructor(root, data) {
      this.data = data;
      root.querySelector("svg").setAttribute("role", "group"); // an image would hide its nodes from screen readers
      this.nodes = new Map([...root.querySelectorAll(".node")].map((g) => [g.dataset.name, g]));
    }
    clear() {
      for (const g of this.nodes.values()) {
        g.classList.remove(...ROLES);
        g.querySelector(".badge")?.remove();
      }
    }
    mark(names, role) {
      for (const name of names ?? []) this.nodes.get(name)?.classList.add(role);
    }
    look(name) {
      this.clear();
      const own = at(this.data.own, name);
      if (own === undefined) return 0;
      if (!own.includes(name)) this.mark([name], "is-image");
      this.mark(own, "is-focus");
      this.mark(this.data.blanket[name], "is-blanket");
      return this.data.blanket[name].length;
    }
    spread(source, sofar) {
      this.clear();
      const reached = Object.entries(at(this.data.steps, source) ?? {}).filter(([, k]) => k <= sofar);
      for (const [name, k] of reached) {
        this.mark([name], k === 0 ? "is-start" : "is-reached");
        if (k > 0) this.badge(name, k);
      }
      return new Set(reached.map(([name]) => name));
    }
    badge(name, k) {
      const node = this.nodes.get(name);
      const box = node?.querySelector(".shape")?.getBBox();
      if (!box) return;
      const badge = document.createElementNS(SVG, "g");
      badge.setAttribute("class", "badge");
      badge.setAttribute("transform", `translate(${box.x + box.width - 3} ${box.y + 4})`);
      const circle = document.createElementNS(SVG, "circle");
      circle.setAttribute("r", "8");
      const text = document.createElementNS(SVG, "text");
      text.setAttribute("y", "4");
      text.textContent = k;
      badge.append(circle, text);
      node.append(badge);
    }
    farthest(source) {
      return Math.max(0, ...Object.values(at(this.data.steps, source) ?? {}));
    }
  }

  class Figure {
    constructor(root) {
      this.root = root;
      this.data = JSON.parse(root.querySelector("script.data").textContent);
      this.panels = [...root.querySelectorAll(".diagram")].map((d, k) => new Panel(d, this.data.panels[k]));
      this.titles = [...root.querySelectorAll(".diagram h3")].map((h) => h.textContent.toLowerCase());
      this.source = root.querySelector(".source");
      this.slider = root.querySelector(".steps");
      this.count = root.querySelector(".count");
      this.told = root.querySelector(".told");
      this.panels.forEach((panel) => this.enliven(panel));
      const scrolls = [...root.querySelectorAll(".diagram .scroll")];
      for (const one of scrolls) {
        one.addEventListener("scroll", () => scrolls.forEach((other) => (other.scrollLeft = one.scrollLeft)));
      }
      this.source.addEventListener("change", () => this.restart());
      this.slider.addEventListener("input", () => this.spread());
      this.restart();
    }
    enliven(panel) {
      [...panel.nodes.values()].forEach((g, k) => {
        const name = g.dataset.name;
        g.setAttribute("tabindex", k === 0 ? "0" : "-1");
        g.setAttribute("role", "button");
        g.setAttribute("aria-label", `${name}, ${g.classList[1]}: its Markov blanket`);
        g.addEventListener("pointerenter", () => this.look(name));
        g.addEventListener("pointerleave", () => this.spread());
        g.addEventListener("focus", () => this.look(name));
        g.addEventListener("blur", () => this.spread());
        g.addEventListener("click", () => this.start(name));
        g.addEventListener("keydown", (event) => this.key(event, panel, g));
      });
    }
    key(event, panel, from) {
      const way = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
      if (event.key === "Enter" || event.key === " ") {
        event.preventDefault();
        this.start(from.dataset.name);
      }
      if (!way) return;
      event.preventDefault();
      const middle = (g) => {
        const box = g.querySelector(".shape").getBoundingClientRect();
        return [box.x + box.width / 2, box.y + box.height / 2];
      };
      const [x, y] = middle(from);
      let best = null, least = Infinity;
      for (const g of panel.nodes.values()) {
        const [dx, dy] = [middle(g)[0] - x, middle(g)[1] - y];
        const along = dx * way[0] + dy * way[1], aside = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
        if (g !== from && along > 1 && along + 2 * aside < least) [best, least] = [g, along + 2 * aside];
      }
      if (best) {
        from.setAttribute("tabindex", "-1");
        best.setAttribute("tabindex", "0");
        best.focus();
      }
    }
    name(asked, panel) {
      return Object.hasOwn(panel.data.own, asked) ? asked : at(this.data.twins, asked) ?? asked;
    }
    look(asked) {
      const sizes = this.panels.map((panel) => panel.look(this.name(asked, panel)));
      const told = sizes.map((n, k) => `${n} ${n === 1 ? "variable" : "variables"} in the ${this.titles[k]}`);
      this.told.textContent = `Markov blanket of ${asked}: ${told.join(", ")}.`;
    }
    start(asked) {
      const options = [...this.source.options].map((o) => o.value);
      const name = [asked, at(this.data.twins, asked)].find((n) => options.includes(n));
      if (name === undefined) return;
      this.source.value = name;
      this.restart();
    }
    restart() {
      this.slider.max = Math.max(1, ...this.panels.map((panel) => panel.farthest(this.source.value)));
      this.slider.value = 0;
      this.spread();
    }
    spread() {
      const sofar = Number(this.slider.value), source = this.source.value;
      this.count.textContent = sofar;
      const others = this.data.latents.filter((name) => name !== source);
      const told = this.panels.map((panel, k) => {
        const reached = panel.spread(source, sofar);
        return `${others.filter((name) => reached.has(name)).length} of ${others.length} in the ${this.titles[k]}`;
      });
      this.told.textContent = sofar === 0
        ? `Move the slider to let a change at ${source} spread; hover or focus a variable to see its Markov blanket.`
        : `After ${steps(sofar)} the change at ${source} has reached latent variables: ${told.join(", ")}.`;
    }
  }

  const figures = [...document.querySelectorAll("figure.influence")].map((root) => new Figure(root));
  for (const button of document.querySelectorAll("button.copy")) {
    button.hidden = false;
    button.addEventListener("click", async () => {
      const code = document.getElementById(button.dataset.copies);
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = "Copied";
      } catch {
        getSelection().selectAllChildren(code);
        button.textContent = document.execCommand("copy") ? "Copied" : "Selected: press Ctrl+C";
      }
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
  }
  const wide = () => { // only what scrolls is a stop of the Tab key
    for (const part of document.querySelectorAll("div.scroll[tabindex]")) {
      part.setAttribute("tabindex", part.scrollWidth > part.clientWidth ? "0" : "-1");
    }
  };
  wide();
  addEventListener("resize", wide);
  addEventListener("beforeprint", () => document.querySelectorAll("details").forEach((d) => (d.open = true)));
  document.documentElement.dataset.ready = figures.length;
})();
