/** Api → declaration graph: every operation and every named schema, each with what it is made of. */
import { Collector, ok, type Result } from '../../diagnostics.js';
import type { Api } from '../../ir/api.js';
import type { DeclarationGraph } from '../../ir/declaration-graph.js';
import { DeclarationWriter } from './declaration-writer.js';
import { type DeclarationNamesOptions, DeclaredNames } from './declared-names.js';
import { FunctionDeclarations } from './function-declarations.js';
import { Views } from './views.js';

export function declarationGraph(api: Api, options: DeclarationNamesOptions): Result<DeclarationGraph> {
  const report = new Collector();
  const names = new DeclaredNames(api, options, report);
  const views = new Views(api.schemas, (id) => names.models.has(id));
  const writer = new DeclarationWriter(views, names, api.info.at.document);
  const functions = new FunctionDeclarations(views, names, writer);
  for (const operation of api.operations) {
    functions.declare(operation);
    writer.finish();
  }
  for (const { schema } of api.components) {
    writer.reach(schema);
    writer.finish();
  }
  return ok(Object.fromEntries(writer.declarations), report.diagnostics);
}
