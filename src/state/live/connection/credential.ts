/** The user's authentication: on the connection and with each request. */
export interface Credentials {
  /** the current client certificate and key (PEM), and Authorization header */
  current(): Promise<Credential>;
  /**
   * Called after the server has answered 401 to a result of `current`. Resolves to whether there is a newer
   * credential to try.
   */
  refused(credential: Credential): Promise<boolean>;
}

export interface Credential {
  authorization?: string | undefined;
  certificate?: ClientCertificate | undefined;
}

export interface ClientCertificate {
  cert: string | Buffer;
  key: string | Buffer;
}
