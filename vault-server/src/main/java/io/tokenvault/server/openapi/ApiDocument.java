package io.tokenvault.server.openapi;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.tokenvault.ports.api.ServiceHeaders;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;

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

  private static final Pattern SHARED = Pattern.compile("/paths|/components(/[a-zA-Z]+)?");
  private static final YAMLMapper YAML =
      YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private final ServiceHeaders headers;
  private volatile byte[] json;

  public ApiDocument(ServiceHeaders headers) {
    this.headers = Objects.requireNonNull(headers, "headers");
  }

  /** As JSON; nobody changes it. */
  public byte[] json() {
    if (json == null) {
      json = named(new ObjectMapper().valueToTree(assembled()).toString());
    }
    return json;
  }

  private static ObjectNode assembled() {
    return assembled(PARTS, part -> ApiDocument.class.getResourceAsStream("/openapi/" + part));
  }

  /**
   * Puts the parts of a document together.
   *
   * @throws IllegalStateException naming what two parts, or two places of one, have alike
   */
  static ObjectNode assembled(List<String> parts, Function<String, InputStream> files) {
    ObjectNode document = YAML.createObjectNode();
    for (String part : parts) {
      try (InputStream file = files.apply(part)) {
        add(document, (ObjectNode) YAML.readTree(file), part, "");
      } catch (IOException broken) {
        throw new IllegalStateException(part + " cannot be read", broken);
      }
    }
    requireUnique(document.findValuesAsText("operationId"));
    return document;
  }

  /** Parts share the paths and the kinds of components, and nothing else. */
  private static void add(ObjectNode into, ObjectNode part, String file, String place) {
    part.properties()
        .forEach(
            member -> {
              String name = place + "/" + member.getKey();
              JsonNode present = into.get(member.getKey());
              if (present == null) {
                into.set(member.getKey(), member.getValue());
              } else if (SHARED.matcher(name).matches()) {
                add((ObjectNode) present, (ObjectNode) member.getValue(), file, name);
              } else {
                throw new IllegalStateException(file + " defines " + name + " again");
              }
            });
  }

  private static void requireUnique(List<String> operationIds) {
    Set<String> seen = new HashSet<>();
    for (String id : operationIds) {
      if (!seen.add(id)) {
        throw new IllegalStateException("two operations have the operationId " + id);
      }
    }
  }

  private byte[] named(String text) {
    ServiceHeaders written = ServiceHeaders.DEFAULT;
    return text.replace(written.prefix(), headers.prefix())
        .replace(written.proxyKeyParameter(), headers.proxyKeyParameter())
        .getBytes(StandardCharsets.UTF_8);
  }
}
