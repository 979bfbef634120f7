import { operatorRoles } from '@plataforma/contracts';
import type { Signer } from '@plataforma/http';
import { z } from 'zod';
import { createAskGateway } from './ask-gateway.ts';

/** What the gateway tells services of operators: all who have access now. */
const activeOperators = z.array(z.object({ id: z.uuid(), role: z.enum(operatorRoles) }));

export type ActiveOperators = () => Promise<z.infer<typeof activeOperators>>;

/** Asks the gateway each time, whose operators are. Refuses with SERVICE_UNAVAILABLE when it does not answer. */
export function createOperatorDirectory(of: { gatewayUrl: string; signer: Signer }): ActiveOperators {
  const ask = createAskGateway(of, 'it is not known at this moment who the operators are');
  return () => ask('/internal/operators', activeOperators);
}
