package io.tokenvault.ports.store.document;

import io.tokenvault.domain.json.JsonValue;
import io.tokenvault.domain.json.JsonValue.JsonArray;
import io.tokenvault.domain.json.JsonValue.JsonBoolean;
import io.tokenvault.domain.json.JsonValue.JsonNumber;
import io.tokenvault.domain.json.JsonValue.JsonObject;
import io.tokenvault.domain.json.JsonValue.JsonString;
import io.tokenvault.ports.runtime.JsonCodec;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Writes records as JSON and reads them back, by the names of their components.
 *
 * <p>A record with one component is written as that component, an empty {@link Optional} not at
 * all, and an alternative of a sealed interface with its name as {@code type}. A missing optional
 * value or collection is read as empty, so that components of these kinds can be added. A component
 * that is renamed makes stored documents unreadable.
 */
final class RecordJson {

  private static final String ALTERNATIVE = "type";

  /** Types that are written as a string that their constructor or factory method accepts. */
  private static final Map<Class<?>, Function<String, Object>> STRINGS =
      Map.of(
          String.class, text -> text,
          UUID.class, UUID::fromString,
          Instant.class, Instant::parse,
          Duration.class, Duration::parse);

  /** Components and constructors of records, which never change. */
  private static final ClassValue<Shape> SHAPES =
      new ClassValue<>() {
        @Override
        protected Shape computeValue(Class<?> type) {
          return Shape.of(type);
        }
      };

  private final JsonCodec codec;

  RecordJson(JsonCodec codec) {
    this.codec = codec;
  }

  /** The parts of a record class. */
  private record Shape(
      Constructor<?> constructor, List<Component> components, boolean isAlternative) {

    static Shape of(Class<?> type) {
      RecordComponent[] components = type.getRecordComponents();
      Class<?>[] types =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      try {
        return new Shape(
            type.getDeclaredConstructor(types),
            Arrays.stream(components).map(Component::of).toList(),
            Arrays.stream(type.getInterfaces()).anyMatch(Class::isSealed));
      } catch (NoSuchMethodException missing) {
        throw new IllegalStateException("a record has no canonical constructor", missing);
      }
    }

    boolean isOneValue() {
      return components.size() == 1 && !isAlternative;
    }
  }

  /** A part of a record class. */
  private record Component(String name, Method accessor, Type type) {

    static Component of(RecordComponent component) {
      return new Component(
          component.getName(), component.getAccessor(), component.getGenericType());
    }

    Object of(Record record) {
      try {
        return accessor.invoke(record);
      } catch (ReflectiveOperationException inaccessible) {
        throw new IllegalStateException("a record cannot be written", inaccessible);
      }
    }
  }

  String write(Record document) {
    return new String(codec.write(encode(document)), StandardCharsets.UTF_8);
  }

  /**
   * Reads a document that {@link #write} wrote.
   *
   * @throws IllegalStateException if it is not one; the message does not repeat it
   */
  <T> T read(String json, Class<T> type) {
    try {
      return type.cast(decode(codec.read(json.getBytes(StandardCharsets.UTF_8)), type));
    } catch (RuntimeException | ReflectiveOperationException wrong) {
      throw new IllegalStateException("a stored " + type.getSimpleName() + " cannot be read");
    }
  }

  private static JsonValue encode(Object value) {
    if (value instanceof Record record) {
      return encode(record, SHAPES.get(record.getClass()));
    }
    if (value instanceof Boolean bool) {
      return JsonValue.of(bool);
    }
    if (value instanceof Number number) {
      return JsonValue.of(number.longValue());
    }
    if (value instanceof byte[] bytes) {
      return JsonValue.of(Base64.getEncoder().encodeToString(bytes));
    }
    if (value instanceof Collection<?> items) {
      return new JsonArray(items.stream().map(RecordJson::encode).toList());
    }
    if (value instanceof Map<?, ?> map) {
      Map<String, JsonValue> properties = new LinkedHashMap<>();
      map.forEach((key, each) -> properties.put(text(key), encode(each)));
      return new JsonObject(properties);
    }
    return JsonValue.of(text(value));
  }

  private static String text(Object value) {
    if (value instanceof Enum<?> constant) {
      return constant.name();
    }
    if (!STRINGS.containsKey(value.getClass())) {
      throw new IllegalArgumentException("no form for " + value.getClass().getName());
    }
    return value.toString();
  }

  private static JsonValue encode(Record record, Shape shape) {
    if (shape.isOneValue()) {
      return encode(shape.components().get(0).of(record));
    }
    Map<String, JsonValue> properties = new LinkedHashMap<>();
    if (shape.isAlternative()) {
      properties.put(ALTERNATIVE, JsonValue.of(record.getClass().getSimpleName()));
    }
    for (Component each : shape.components()) {
      Object value = each.of(record);
      (value instanceof Optional<?> optional ? optional : Optional.of(value))
          .ifPresent(present -> properties.put(each.name(), encode(present)));
    }
    return new JsonObject(properties);
  }

  private static Object decode(JsonValue value, Type type) throws ReflectiveOperationException {
    return type instanceof ParameterizedType generic
        ? collection(Optional.of(value), generic)
        : single(value, (Class<?>) type);
  }

  private static Object single(JsonValue value, Class<?> type) throws ReflectiveOperationException {
    if (type.isRecord()) {
      return record(value, SHAPES.get(type));
    }
    if (type.isSealed()) {
      return record(value, SHAPES.get(alternative((JsonObject) value, type)));
    }
    if (value instanceof JsonBoolean bool) {
      return bool.value();
    }
    if (value instanceof JsonNumber number) {
      return type == int.class
          ? (Object) Integer.valueOf(number.literal())
          : (Object) Long.valueOf(number.literal());
    }
    String text = ((JsonString) value).value();
    return type == byte[].class ? Base64.getDecoder().decode(text) : parsed(text, type);
  }

  private static Object parsed(String text, Class<?> type) {
    return type.isEnum()
        ? Stream.of(type.getEnumConstants())
            .filter(each -> ((Enum<?>) each).name().equals(text))
            .findFirst()
            .orElseThrow()
        : STRINGS.get(type).apply(text);
  }

  private static Class<?> alternative(JsonObject value, Class<?> type) {
    String name = ((JsonString) value.properties().get(ALTERNATIVE)).value();
    return Stream.of(type.getPermittedSubclasses())
        .filter(each -> each.getSimpleName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static Object record(JsonValue value, Shape shape) throws ReflectiveOperationException {
    Object[] arguments = new Object[shape.components().size()];
    for (int i = 0; i < arguments.length; i++) {
      Component component = shape.components().get(i);
      Optional<JsonValue> property =
          shape.isOneValue()
              ? Optional.of(value)
              : Optional.ofNullable(((JsonObject) value).properties().get(component.name()));
      arguments[i] =
          component.type() instanceof ParameterizedType generic
              ? collection(property, generic)
              : decode(property.orElseThrow(), component.type());
    }
    return shape.constructor().newInstance(arguments);
  }

  /** Returns an {@link Optional}, list, set or map, which is empty if the value is absent. */
  private static Object collection(Optional<JsonValue> value, ParameterizedType type)
      throws ReflectiveOperationException {
    Type[] arguments = type.getActualTypeArguments();
    if (type.getRawType() == Optional.class) {
      return value.isEmpty() ? value : Optional.of(decode(value.get(), arguments[0]));
    }
    if (type.getRawType() == Map.class) {
      Map<Object, Object> map = new LinkedHashMap<>();
      for (var each :
          ((JsonObject) value.orElse(new JsonObject(Map.of()))).properties().entrySet()) {
        map.put(
            parsed(each.getKey(), (Class<?>) arguments[0]), decode(each.getValue(), arguments[1]));
      }
      return map;
    }
    Collection<Object> items = new LinkedHashSet<>();
    List<JsonValue> values = ((JsonArray) value.orElse(new JsonArray(List.of()))).items();
    if (type.getRawType() == List.class) {
      items = new ArrayList<>(values.size());
    }
    for (JsonValue each : values) {
      items.add(decode(each, arguments[0]));
    }
    return items;
  }
}
