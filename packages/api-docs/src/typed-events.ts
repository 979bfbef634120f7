import { inside, REFERENCE, type Schema } from './schemas.ts';

/** Converts an event's name to a type's name: `charge.paid` to `ChargePaid`. */
export function wordsOf(event: string): string {
  const words = event.split(/[._]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return words.join('');
}

export function dataNameOf(event: string): string {
  return `${wordsOf(event)}Data`;
}

/**
 * Gives the `data` of each event in the document its type. The endpoints' own schemas do not restrict `data`,
 * because stored events may come from any release.
 */
export function typeEvents(components: Schema): void {
  typeEvent('Event', components);
  typeEvent('WebhookPayload', components);
}

/** Makes each event a component. For an inline alternative, generators would create a type without fields. */
function typeEvent(holder: string, components: Schema): void {
  const schema = inside(components, holder);
  const { properties, required } = schema;
  const names = inside(properties, 'event').enum;
  // A document with few endpoints may contain no events.
  if (!Array.isArray(names)) return;
  const oneOf = names.map(String).map((event) => {
    const name = `${wordsOf(event)}${holder}`;
    components[name] = {
      type: 'object',
      properties: {
        ...inside(schema, 'properties'),
        event: { type: 'string', const: event },
        data: { $ref: REFERENCE + dataNameOf(event) },
      },
      required,
    };
    return { $ref: REFERENCE + name };
  });
  delete schema.type;
  delete schema.properties;
  delete schema.required;
  schema.oneOf = oneOf;
}
