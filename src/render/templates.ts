/**
 * The only home of Handlebars. Templates print what plan decided: they may loop, choose by a boolean, include partials
 * and use the encoders. Everything else is refused, at compile time where Handlebars can, by the encoders where it cannot.
 * The build compiles them once (`precompile.ts`); then only Handlebars' small runtime is read.
 */
import type Handlebars from 'handlebars';
import { boolean, comment, key, literal, number, regex } from '../encode.js';
import type { JsonValue } from '../ir/schema.js';

/** Template texts by name: the path below `templates/`, without `.hbs`. */
type TemplateSources = ReadonlyMap<string, string>;

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

const compileOptions: CompileOptions = {
  strict: true,
  noEscape: true,
  knownHelpersOnly: true,
  knownHelpers: Object.fromEntries(Object.keys(encoderHelpers).map((name) => [name, true])),
  explicitPartialContext: true,
  // The default re-indents a partial's whole text at every level, which is quadratic in the nesting.
  preventIndent: true,
};

/** The texts among the assets of this package (`templates/client/client.hbs`), by the names that templates have. */
export function templateSources(assets: ReadonlyMap<string, string>): TemplateSources {
  return new Map([...assets].map(([path, text]) => [path.replace(/^templates\/|\.hbs$/g, ''), text]));
}

/** What the build made of the templates: for each name what `Handlebars.template` takes. */
export type TemplateSpecifications = Readonly<Record<string, TemplateSpecification>>;

/** Compiles the texts; each when it is first printed. */
export async function compileTemplates(sources: TemplateSources): Promise<Templates> {
  const { default: handlebars } = await import('handlebars');
  const engine = withEncoders(handlebars.create());
  return printer(
    engine,
    (name) => {
      const text = sources.get(name);
      return text === undefined ? undefined : engine.compile(text, compileOptions);
    },
    sources.keys(),
  );
}

/** Templates that were compiled before. */
export async function templatesOf(specifications: TemplateSpecifications): Promise<Templates> {
  // The package's own types of this entry are empty.
  const { default: handlebars } = (await import('handlebars/runtime.js')) as unknown as { default: typeof Handlebars };
  const engine = withEncoders(handlebars.create());
  return printer(
    engine,
    (name) => {
      const specification = Object.hasOwn(specifications, name) ? specifications[name] : undefined;
      return specification === undefined ? undefined : engine.template(specification);
    },
    Object.keys(specifications),
  );
}

/** The templates as members of an object literal, each with what `Handlebars.template` takes. */
export async function precompileTemplates(sources: TemplateSources): Promise<string> {
  const { default: handlebars } = await import('handlebars');
  const members = [...sources].map(([name, text]) => {
    const specification = String(handlebars.precompile(text, compileOptions));
    return `${JSON.stringify(name)}: ${specification},
`;
  });
  return members.join('');
}

function withEncoders(engine: typeof Handlebars): typeof Handlebars {
  for (const [name, helper] of Object.entries(encoderHelpers))
    engine.registerHelper(name, helper as Handlebars.HelperDelegate);
  return engine;
}

function printer(
  engine: typeof Handlebars,
  make: (name: string) => Handlebars.TemplateDelegate | undefined,
  names: Iterable<string>,
): Templates {
  const made = new Map<string, Handlebars.TemplateDelegate>();
  const templateOf = (name: string): Handlebars.TemplateDelegate => {
    const template = made.get(name) ?? make(name);
    if (template === undefined) throw new Error(`there is no template ${name}`);
    made.set(name, template);
    return template;
  };
  for (const name of names) engine.registerPartial(name, templateOf(name));
  return {
    print: (name, view) =>
      templateOf(name)(view, { allowProtoPropertiesByDefault: false, allowProtoMethodsByDefault: false }),
  };
}
