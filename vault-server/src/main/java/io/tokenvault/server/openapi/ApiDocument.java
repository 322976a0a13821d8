package io.tokenvault.server.openapi;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.tokenvault.ports.api.ServiceHeaders;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/**
 * The OpenAPI 3.1 document, put together from the files in {@code openapi/} when it is first asked
 * for. They are written for the default names of headers, which are replaced.
 */
public final class ApiDocument {

  private static final List<String> PARTS =
      List.of(
          "main.yaml",
          "common.yaml",
          "permissions.yaml",
          "applications.yaml",
          "access.yaml",
          "tokens.yaml",
          "proxies.yaml",
          "invocation.yaml",
          "logs.yaml",
          "operations.yaml");

  private final ServiceHeaders headers;
  private volatile byte[] json;

  public ApiDocument(ServiceHeaders headers) {
    this.headers = Objects.requireNonNull(headers, "headers");
  }

  /** As JSON; nobody changes it. */
  public byte[] json() {
    if (json == null) {
      json = named(new ObjectMapper().valueToTree(merged()).toString());
    }
    return json;
  }

  private static ObjectNode merged() {
    YAMLMapper yaml = new YAMLMapper();
    ObjectNode document = yaml.createObjectNode();
    for (String part : PARTS) {
      try (InputStream file = ApiDocument.class.getResourceAsStream("/openapi/" + part)) {
        merge(document, (ObjectNode) yaml.readTree(file));
      } catch (IOException broken) {
        throw new UncheckedIOException(broken);
      }
    }
    return document;
  }

  private static void merge(ObjectNode into, ObjectNode part) {
    part.properties()
        .forEach(
            member -> {
              if (into.get(member.getKey()) instanceof ObjectNode both) {
                merge(both, (ObjectNode) member.getValue());
              } else {
                into.set(member.getKey(), member.getValue());
              }
            });
  }

  private byte[] named(String text) {
    ServiceHeaders written = ServiceHeaders.DEFAULT;
    return text.replace(written.prefix(), headers.prefix())
        .replace(written.proxyKeyParameter(), headers.proxyKeyParameter())
        .getBytes(StandardCharsets.UTF_8);
  }
}
