/**
 * The only home of Handlebars. Templates print what plan decided: they may loop, choose by a boolean, include partials
 * and use the encoders. Everything else is refused, at compile time where Handlebars can, by the encoders where it cannot.
 */
import Handlebars from 'handlebars';
import { boolean, comment, key, literal, number, regex } from '../encode.js';
import type { JsonValue } from '../ir/schema.js';

/** Template texts by name: the path below `templates/`, without `.hbs`. */
export type TemplateSources = ReadonlyMap<string, string>;

export interface Templates {
  /** Prints a view. Throws where a field that the template names is missing: that is a bug of ours. */
  print(name: string, view: object): string;
}

/** The helpers that a template may call: one encoder per context (security rule 1). */
export const encoderHelpers = {
  literal: (value: JsonValue) => literal(value),
  key: (name: string) => key(name),
  comment: (text: string) => comment(text),
  regex: (pattern: string) => regex(pattern),
  number: (value: number) => number(value),
  boolean: (value: boolean) => boolean(value),
} as const;

export const compileOptions: CompileOptions = {
  strict: true,
  noEscape: true,
  knownHelpersOnly: true,
  knownHelpers: Object.fromEntries(Object.keys(encoderHelpers).map((name) => [name, true])),
  explicitPartialContext: true,
  // The default re-indents a partial's whole text at every level, which is quadratic in the nesting.
  preventIndent: true,
};

export function loadTemplates(sources: TemplateSources): Templates {
  const engine = Handlebars.create();
  for (const [name, helper] of Object.entries(encoderHelpers))
    engine.registerHelper(name, helper as Handlebars.HelperDelegate);
  const compiled = new Map<string, Handlebars.TemplateDelegate>();
  for (const [name, text] of sources) engine.registerPartial(name, engine.compile(text, compileOptions));
  return {
    print(name, view) {
      let template = compiled.get(name);
      if (!template) {
        const text = sources.get(name);
        if (text === undefined) throw new Error(`there is no template ${name}`);
        template = engine.compile(text, compileOptions);
        compiled.set(name, template);
      }
      return template(view, { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false });
    },
  };
}
