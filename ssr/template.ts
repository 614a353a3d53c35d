// Templates: what scripts/templates.mjs makes of JSX for the server, so that rendering writes a few long strings instead
// of walking over every element. A template is described once, when its module is evaluated, and filled whenever
// its JSX is reached.
import { attribute, escape, named, unsupported } from './attributes';
import type { Attribute } from './attributes';
import { plainTags, voidTags } from './html';

export const TEMPLATE = Symbol('template');

/** A text, a hole (0), an element, or a fragment, which has no tag. */
type Description = string | 0 | Described;
/** An attribute's value in an array is a hole. */
type Described = [tag: string, attributes: [name: string, value: unknown][], children: Description[]];

/** Markup between two holes, and whether text stands at its edges: React keeps neighbouring texts apart by a comment. */
export interface Piece {
  html: string;
  startsWithText: boolean;
  endsWithText: boolean;
}

/** An attribute, or where a child stands: pairs of how many siblings there are and which of them it is. */
type Hole = Attribute | number[];

export interface Template {
  /** One more than there are holes. */
  pieces: Piece[];
  holes: Hole[];
}

/** A template with what belongs into its holes. */
export class Filled {
  readonly $$typeof = TEMPLATE;

  constructor(
    readonly template: Template,
    readonly values: unknown[],
  ) {}
}

/** What they are submitted with comes last: scripts/templates.mjs has put it there. */
const submitters = new Set(['button', 'form']);

/** Makes a template. Throws at what the renderer does not know. */
export function describe(description: Described): Template {
  const assembly = new Assembly();
  assembly.node(description, []);
  return assembly.finish();
}

class Assembly {
  private readonly pieces: Piece[] = [];
  private readonly holes: Hole[] = [];
  private piece: Piece = { html: '', startsWithText: false, endsWithText: false };

  finish(): Template {
    this.pieces.push(this.piece);
    return { pieces: this.pieces, holes: this.holes };
  }

  node(description: Description, path: number[]) {
    if (typeof description === 'number') this.hole(path);
    else if (typeof description === 'string') this.text(description);
    else this.element(description, path);
  }

  private element([tag, attributes, children]: Described, path: number[]) {
    if (tag === '') {
      this.children(children, path);
      return;
    }
    const isVoid = voidTags.has(tag);
    if (!isVoid && !submitters.has(tag) && !plainTags.has(tag)) unsupported(`<${tag}>`);
    this.markup('<' + tag);
    for (const each of attributes) this.attribute(each);
    if (isVoid) {
      this.markup('/>');
      return;
    }
    this.markup('>');
    this.children(children, path);
    this.markup(`</${tag}>`);
  }

  private attribute([name, value]: [string, unknown]) {
    if (Array.isArray(value)) this.hole(named(name));
    else this.markup(attribute(name, value));
  }

  private children(children: Description[], path: number[]) {
    children.forEach((child, index) => {
      this.node(child, children.length > 1 ? [...path, children.length, index] : path);
    });
  }

  private markup(html: string) {
    this.piece.html += html;
    this.piece.endsWithText = false;
  }

  private text(text: string) {
    const { piece } = this;
    if (piece.html === '') piece.startsWithText = true;
    else if (piece.endsWithText) piece.html += '<!-- -->';
    piece.html += escape(text);
    piece.endsWithText = true;
  }

  private hole(hole: Hole) {
    this.holes.push(hole);
    this.pieces.push(this.piece);
    this.piece = { html: '', startsWithText: false, endsWithText: false };
  }
}
