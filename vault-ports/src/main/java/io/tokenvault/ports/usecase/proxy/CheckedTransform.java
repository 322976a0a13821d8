package io.tokenvault.ports.usecase.proxy;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.domain.proxy.TransformCode;
import io.tokenvault.ports.runtime.CompiledTransform;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A transform's code together with its compiled form. */
public record CheckedTransform(TransformCode code, CompiledTransform compiled) {

  private static final String CODE = "code";
  private static final String COMPILER = "compiler";
  private static final String PROGRAM = "program";
  private static final String REQUIRES = "requires";

  /** Returns the JSON form for encryption; {@link #of} reads it back. */
  JsonValue toJson() {
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    properties.put(CODE, JsonValue.of(code.source()));
    properties.put(COMPILER, JsonValue.of(compiled.compiler()));
    properties.put(PROGRAM, JsonValue.of(compiled.program()));
    List<JsonValue> requires = compiled.requires().stream().map(JsonValue::of).toList();
    properties.put(REQUIRES, new JsonArray(requires));
    return new JsonObject(properties);
  }

  /** Parses the JSON form that {@link #toJson} returned. */
  static CheckedTransform of(JsonValue stored) {
    Map<String, JsonValue> properties = ((JsonObject) stored).properties();
    List<String> requires =
        ((JsonArray) properties.get(REQUIRES))
            .items().stream().map(CheckedTransform::text).toList();
    return new CheckedTransform(
        new TransformCode(text(properties.get(CODE))),
        new CompiledTransform(
            text(properties.get(COMPILER)), text(properties.get(PROGRAM)), requires));
  }

  private static String text(JsonValue value) {
    return ((JsonString) value).value();
  }
}
