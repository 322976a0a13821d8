package io.tokenvault.engine.transform;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.exchange.Exchange;
import io.tokenvault.engine.exchange.RequestTarget;
import io.tokenvault.engine.transform.Transforms.TransformHosts;
import io.tokenvault.engine.transform.content.Headers;
import io.tokenvault.engine.transform.content.Json;
import io.tokenvault.engine.transform.content.UnusableContentException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Builder of the context object that a transform receives besides the body (decisions, section 7).
 */
final class TransformContext {

  private TransformContext() {}

  /**
   * Returns the context of an invocation as a JSON object.
   *
   * @param hosts decides whether the transform is given the {@code bt} client
   * @return a JSON object with the properties that {@code ToWorker.Invoke} lists
   * @throws IllegalStateException if the stored configuration of the proxy is not JSON
   */
  static String of(Exchange exchange, TransformHosts hosts, List<HeaderField> headers) {
    RequestTarget requested = exchange.requested();
    ObjectNode context = Json.object();
    context.set("headers", Headers.object(headers));
    context.put("method", exchange.call().method());
    context.put("path", requested.path());
    context.put(
        "query",
        requested.query().filter(query -> !query.isEmpty()).map(query -> "?" + query).orElse(""));
    byte[] configuration = exchange.invoked().configuration().open();
    try {
      context.set("configuration", Json.read(new String(configuration, StandardCharsets.UTF_8)));
    } catch (UnusableContentException notOurs) {
      throw new IllegalStateException("the configuration of a proxy is not JSON");
    }
    context.put("bt", hosts.hasClient(exchange));
    return Json.write(context);
  }
}
