package io.tokenvault.ports.api;

/** The proxy (interface, section 4, Proxy invocation). All threads may share one instance. */
public interface InvokeProxy {

  /**
   * Replaces token references, forwards the request and gives the destination's answer. Refuses on
   * the headers alone before the body is read; nothing leaves before the use of every token is
   * durably recorded. What is read of the call's body is read before this returns, not with the
   * answer's body.
   *
   * @throws io.tokenvault.domain.failure.VaultException for every failure that is the proxy's own
   */
  ProxyAnswer invoke(ProxyCall call);
}
