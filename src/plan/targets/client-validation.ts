/** The file `client-validation.ts` of the target `client`: a check of all answers, for who imports it. */
import { type Code, code, type Identifier, key, literal } from '../../encode.js';
import { outputPath } from '../../output.js';
import { plannedAnswers } from '../answers.js';
import { isCheckedForm } from '../form-answers.js';
import { importNames } from '../imports.js';
import { onLines } from '../indentation.js';
import { statusLiteral } from '../operation-literal.js';
import { RuntimeImports, runtimeFiles } from '../runtime-imports.js';
import type { ImportView, PlanContext, PlannedFile } from '../target.js';
import { isValue } from '../xml-values.js';

export interface ClientValidationView {
  readonly imports: readonly ImportView[];
  readonly operations: readonly CheckedView[];
}

export interface CheckedView {
  readonly name: Code;
  /** A list of answers on one line, or on several. */
  readonly answers: Code;
}

/** Nothing where the output has no validators, or no answer has a schema. */
export function clientValidation({ api, names, options }: PlanContext): readonly PlannedFile[] {
  if (!options.targets.includes('validators')) return [];
  const runtime = new RuntimeImports();
  const validators = new Set<Identifier>();
  const operations = api.operations.flatMap((operation): CheckedView[] => {
    const answers = plannedAnswers(operation, names).flatMap(({ status, media }) => {
      if (media === undefined || media.stream || media.schema === undefined) return [];
      if (!isValue(media) && !isCheckedForm(api, media)) return [];
      const validate = names.validatorOf(media.schema, 'read')?.validate;
      if (validate === undefined) return [];
      validators.add(validate);
      return [
        code`{ status: ${statusLiteral(status)}, type: ${literal(media.essence)}, validate: $${validate as string as Code} }`,
      ];
    });
    const name = key(names.operationOf(operation).function);
    return answers.length === 0 ? [] : [{ name, answers: onLines(answers, 1) }];
  });
  if (operations.length === 0) return [];
  // The order of the document means nothing here.
  operations.sort((left, right) => (left.name < right.name ? -1 : 1));
  for (const name of ['ResponseCheck', 'ResponseCheckMode', 'CheckedAnswer', 'responseCheck'] as const) {
    runtime.use(name);
  }
  const own = [...validators]
    .sort()
    .map((name) => ({ isType: false, text: code`${name} as $${name as string as Code}` }));
  const view: ClientValidationView = {
    imports: [...runtime.imports(options), ...importNames(own, './validators', options)],
    operations,
  };
  return [
    {
      kind: 'template',
      path: outputPath('client-validation.ts'),
      template: 'client/client-validation',
      view,
      ownership: 'generated',
      finished: true,
    },
    ...runtimeFiles(['response-check.ts']),
  ];
}
