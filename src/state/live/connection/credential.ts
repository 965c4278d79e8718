/** How the user shows who they are: on the connection and with each request. */
export interface Credentials {
  /** the client certificate and its key (PEM), and the Authorization header, as of now */
  current(): Promise<Credential>;
  /**
   * Called after the server has answered 401 to what `current` gave. Resolves to whether there is something newer to
   * try.
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
