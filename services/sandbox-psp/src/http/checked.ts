import type { z } from 'zod';
import { PixProblem, type ProblemCode, type Violation } from '../domain/pix-problem.ts';

/** The prefix of the field paths in violations, for each problem code. */
const roots: Partial<Record<ProblemCode, string>> = {
  CobOperacaoInvalida: 'cob',
  PixDevolucaoInvalida: 'devolucao',
};

/**
 * Returns the value after validation by the schema. Throws the problem `code` with a violation for each wrong
 * field.
 */
export function checked<T extends z.ZodType>(schema: T, value: unknown, code: ProblemCode): z.infer<T> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new PixProblem(code, {
    violations: result.error.issues.flatMap((issue) => violationsOf(issue, code)),
  });
}

function violationsOf(issue: z.core.$ZodIssue, code: ProblemCode): Violation[] {
  const root = roots[code];
  const path = root === undefined ? issue.path : [root, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => violation([...path, key], 'não é aceito por este provedor'));
  }
  return [violation(path, issue.code === 'custom' ? issue.message : 'não respeita o schema')];
}

function violation(path: readonly PropertyKey[], reason: string): Violation {
  const propriedade = path.join('.');
  return { razao: `O campo ${propriedade} ${reason}.`, propriedade };
}
