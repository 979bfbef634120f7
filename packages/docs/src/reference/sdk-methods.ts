import { describedMethods } from '@plataforma/sdk/described';

/** A method of the SDK. Its name includes the resource, such as `charges.create`. */
export interface SdkMethod {
  name: string;
  answers: 'data' | 'list' | 'file';
}

/** The methods of the SDK, by the route that they call, such as `GET /v1/charges/:id`. */
export const sdkMethods: ReadonlyMap<string, SdkMethod[]> = new Map(
  [...Map.groupBy(describedMethods, ({ route }) => route)].map(([route, methods]) => [
    route,
    methods.map(({ path, fileType, isList }): SdkMethod => {
      return { name: path.join('.'), answers: fileType ? 'file' : isList ? 'list' : 'data' };
    }),
  ]),
);
