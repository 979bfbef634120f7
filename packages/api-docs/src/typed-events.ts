import { inside, REFERENCE, type Schema } from './schemas.ts';

/** Turns `charge.paid` into `ChargePaid`. */
export function wordsOf(event: string): string {
  const words = event.split(/[._]/).map((word) => word.slice(0, 1).toUpperCase() + word.slice(1));
  return words.join('');
}

export function dataNameOf(event: string): string {
  return `${wordsOf(event)}Data`;
}

/**
 * Types the `data` of each event in the document by the event's name. The services return stored events of
 * any release without such types.
 */
export function typeEvents(components: Schema): void {
  typeEvent('Event', components);
  typeEvent('WebhookPayload', components);
}

/** Makes each alternative a component, because generators create a type without fields from an inline one. */
function typeEvent(holder: string, components: Schema): void {
  const schema = inside(components, holder);
  const { properties, required } = schema;
  const names = inside(properties, 'event').enum;
  // A document with few endpoints may have no events.
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
