package io.tokenvault.ports.api;

/** Invokes the proxy (interface, section 4, Proxy invocation). Implementations are thread-safe. */
public interface InvokeProxy {

  /**
   * Replaces token expressions, forwards the request and returns the destination's response.
   *
   * <p>The request is rejected by its headers alone, where possible, before its body is read.
   * Nothing is sent before the use of every token is durably recorded. The body of the call is read
   * only until this method returns, never while the response is read.
   *
   * @throws io.tokenvault.domain.failure.VaultException for every failure of the proxy itself
   */
  ProxyResponse invoke(ProxyCall call);
}
