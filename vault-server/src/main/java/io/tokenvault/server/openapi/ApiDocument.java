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
 * The OpenAPI 3.1 description of the API, assembled from the resources in {@code openapi/}.
 *
 * <p>The resources use the default names of headers, which are replaced by the configured ones. The
 * document is assembled when it is first requested. Threads may share an instance.
 */
public final class ApiDocument {

  private static final List<String> PARTS =
      List.of(
          "main.yaml",
          "common.yaml",
          "permissions.yaml",
          "applications.yaml",
          "access.yaml",
          "tenants.yaml",
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

  /** Returns the document as JSON in UTF-8. The array is shared and must not be changed. */
  public byte[] json() {
    if (json == null) {
      json = named(new ObjectMapper().valueToTree(assembled()).toString());
    }
    return json;
  }

  /** Assembles the document from the resources of this jar. */
  private static ObjectNode assembled() {
    return assembled(PARTS, part -> ApiDocument.class.getResourceAsStream("/openapi/" + part));
  }

  /**
   * Assembles the parts of a document.
   *
   * @param parts the names of the parts, in the order of the document
   * @param files opens a part by its name
   * @throws IllegalStateException if two parts define the same place, or two operations have the
   *     same id
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

  /**
   * Merges a part into the document. Parts share the paths and the sections of components; any
   * other place is defined once.
   */
  private static void add(ObjectNode into, ObjectNode part, String file, String place) {
    part.properties()
        .forEach(
            property -> {
              String name = place + "/" + property.getKey();
              JsonNode present = into.get(property.getKey());
              if (present == null) {
                into.set(property.getKey(), property.getValue());
              } else if (SHARED.matcher(name).matches()) {
                add((ObjectNode) present, (ObjectNode) property.getValue(), file, name);
              } else {
                throw new IllegalStateException(file + " defines " + name + " again");
              }
            });
  }

  /** Requires unique operation ids, which clients generate method names from. */
  private static void requireUnique(List<String> operationIds) {
    Set<String> seen = new HashSet<>();
    for (String id : operationIds) {
      if (!seen.add(id)) {
        throw new IllegalStateException("two operations have the operationId " + id);
      }
    }
  }

  /** Replaces the default names of headers and parameters by the configured ones. */
  private byte[] named(String text) {
    ServiceHeaders written = ServiceHeaders.DEFAULT;
    return text.replace(written.prefix(), headers.prefix())
        .replace(written.proxyKeyParameter(), headers.proxyKeyParameter())
        .getBytes(StandardCharsets.UTF_8);
  }
}
