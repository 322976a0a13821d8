package io.tokenvault.engine.wire;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Encodes and decodes messages.
 *
 * <p>A message is its length in four bytes, and then the components of its record, one after the
 * other. Numbers are big-endian. Strings and byte arrays follow their length in bytes, lists and
 * maps their number of entries, each in four bytes. An optional value follows a byte that states
 * whether it is present. A constant of an enum is its position in one byte; a record of an
 * interface follows the position of its type.
 *
 * <p>Data of a worker is not trusted: every length is bounded, and anything that is not a message
 * causes an {@link IOException}.
 *
 * <pre>{@code
 * MessageCodec.write(toWorker, new ToWorker.Begin(false, List.of()));
 * FromWorker ready = MessageCodec.readFromWorker(fromWorker);
 * }</pre>
 */
public final class MessageCodec {

  /** The greatest length of a message, in bytes: a body of 10 MiB fits in Base64 with escapes. */
  public static final int MAX_LENGTH = 64 * 1024 * 1024;

  /** The components of each type of record, since reflection takes long to find them. */
  private static final ClassValue<Components> COMPONENTS =
      new ClassValue<>() {
        @Override
        protected Components computeValue(Class<?> type) {
          return Components.of(type);
        }
      };

  /**
   * The constants of each enum, the types of records that each interface permits, and nothing for
   * other types. Java itself looks for permitted types in the class file every time.
   */
  private static final ClassValue<List<Object>> ALTERNATIVES =
      new ClassValue<>() {
        @Override
        protected List<Object> computeValue(Class<?> type) {
          if (type.isEnum()) {
            return List.of(type.getEnumConstants());
          }
          return type.isSealed() ? List.of((Object[]) type.getPermittedSubclasses()) : List.of();
        }
      };

  private MessageCodec() {}

  /**
   * Writes a message to a worker and flushes the stream.
   *
   * @throws IOException if the message is too long or the worker has ended
   */
  public static void write(OutputStream out, ToWorker message) throws IOException {
    send(out, message);
  }

  /**
   * Writes a message to the server and flushes the stream.
   *
   * @throws IOException if the message is too long or the server has ended
   */
  public static void write(OutputStream out, FromWorker message) throws IOException {
    send(out, message);
  }

  /**
   * Reads the next message to a worker; blocks until it is complete.
   *
   * @throws EOFException at the end of the stream
   * @throws IOException if the data is not a message
   */
  public static ToWorker readToWorker(InputStream in) throws IOException {
    return receive(in, ToWorker.class);
  }

  /**
   * Reads the next message from a worker; blocks until it is complete.
   *
   * @throws EOFException at the end of the stream
   * @throws IOException if the data is not a message
   */
  public static FromWorker readFromWorker(InputStream in) throws IOException {
    return receive(in, FromWorker.class);
  }

  /**
   * Writes the length and content of a message in one piece, since other threads may write to the
   * same stream afterwards.
   */
  private static void send(OutputStream out, Object content) throws IOException {
    ByteArrayOutputStream buffer = new ByteArrayOutputStream(1024);
    Output output = new Output(buffer);
    output.writeInt(0);
    output.value(content);
    byte[] message = buffer.toByteArray();
    int length = message.length - Integer.BYTES;
    if (length > MAX_LENGTH) {
      throw new IOException("the message is too long");
    }
    ByteBuffer.wrap(message).putInt(0, length);
    out.write(message);
    out.flush();
  }

  /** Reads one complete message, checking its length first, and rejects data after its end. */
  private static <T> T receive(InputStream in, Class<T> type) throws IOException {
    int length = new DataInputStream(in).readInt();
    if (length < 1 || length > MAX_LENGTH) {
      throw new IOException("the length of a message is out of bounds");
    }
    byte[] message = in.readNBytes(length);
    if (message.length < length) {
      throw new EOFException("a message was cut short");
    }
    Input input = new Input(message);
    T content = type.cast(input.value(type));
    if (input.available() > 0) {
      throw new IOException("a message is followed by more");
    }
    return content;
  }

  /** Throws an error of the JVM, such as an exhausted stack, as it would be without reflection. */
  private static void throwIfError(Throwable cause) {
    if (cause instanceof Error error) {
      throw error;
    }
  }

  /**
   * The components of a type of record.
   *
   * @param positions the positions of the type among those that its interfaces permit
   */
  private record Components(
      Constructor<?> constructor, Method[] accessors, Type[] types, List<Integer> positions) {

    static Components of(Class<?> type) {
      RecordComponent[] components = type.getRecordComponents();
      Class<?>[] parameters =
          Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
      try {
        return new Components(
            type.getConstructor(parameters),
            Arrays.stream(components).map(RecordComponent::getAccessor).toArray(Method[]::new),
            Arrays.stream(components).map(RecordComponent::getGenericType).toArray(Type[]::new),
            Arrays.stream(type.getInterfaces())
                .filter(Class::isSealed)
                .map(each -> ALTERNATIVES.get(each).indexOf(type))
                .toList());
      } catch (NoSuchMethodException e) {
        throw new IllegalArgumentException(e);
      }
    }
  }

  /** Writes the values of a message. */
  private static final class Output extends DataOutputStream {

    Output(ByteArrayOutputStream out) {
      super(out);
    }

    void value(Object value) throws IOException {
      if (value instanceof Integer number) {
        writeInt(number);
      } else if (value instanceof Long number) {
        writeLong(number);
      } else if (value instanceof Boolean flag) {
        writeBoolean(flag);
      } else if (value instanceof String text) {
        bytes(text.getBytes(StandardCharsets.UTF_8));
      } else if (value instanceof byte[] bytes) {
        bytes(bytes);
      } else if (value instanceof Enum<?> constant) {
        writeByte(constant.ordinal());
      } else if (value instanceof Optional<?> optional) {
        writeBoolean(optional.isPresent());
        if (optional.isPresent()) {
          value(optional.get());
        }
      } else if (value instanceof List<?> list) {
        writeInt(list.size());
        for (Object each : list) {
          value(each);
        }
      } else if (value instanceof Map<?, ?> map) {
        writeInt(map.size());
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          value(entry.getKey());
          value(entry.getValue());
        }
      } else {
        record(value);
      }
    }

    private void bytes(byte[] bytes) throws IOException {
      writeInt(bytes.length);
      write(bytes);
    }

    private void record(Object record) throws IOException {
      Components components = COMPONENTS.get(record.getClass());
      for (int position : components.positions()) {
        writeByte(position);
      }
      try {
        for (Method accessor : components.accessors()) {
          value(accessor.invoke(record));
        }
      } catch (InvocationTargetException e) {
        throwIfError(e.getCause());
        throw new IllegalArgumentException(e);
      } catch (IllegalAccessException e) {
        throw new IllegalArgumentException(e);
      }
    }
  }

  /** Reads the values of a message, which is not trusted. */
  private static final class Input extends DataInputStream {

    Input(byte[] message) {
      super(new ByteArrayInputStream(message));
    }

    /**
     * Reads a value.
     *
     * @throws IOException if the data is not a value of the type
     */
    Object value(Type type) throws IOException {
      if (type instanceof ParameterizedType container) {
        return container(container.getRawType(), container.getActualTypeArguments());
      }
      Class<?> plain = (Class<?>) type;
      if (plain == int.class) {
        return readInt();
      }
      if (plain == long.class) {
        return readLong();
      }
      if (plain == boolean.class) {
        return readBoolean();
      }
      if (plain == String.class) {
        return new String(bytes(), StandardCharsets.UTF_8);
      }
      if (plain == byte[].class) {
        return bytes();
      }
      List<Object> alternatives = ALTERNATIVES.get(plain);
      Object value = alternatives.isEmpty() ? plain : alternative(alternatives);
      return plain.isEnum() ? value : record((Class<?>) value);
    }

    private byte[] bytes() throws IOException {
      byte[] bytes = new byte[count()];
      readFully(bytes);
      return bytes;
    }

    /**
     * Reads a length or number of entries and checks it against the rest of the message, so that a
     * hostile worker cannot cause a large allocation.
     */
    private int count() throws IOException {
      int count = readInt();
      if (count < 0 || count > available()) {
        throw new IOException("a count is larger than its message");
      }
      return count;
    }

    private Object container(Type kind, Type[] contents) throws IOException {
      if (kind == Optional.class) {
        return readBoolean() ? Optional.of(value(contents[0])) : Optional.empty();
      }
      if (kind == Map.class) {
        Map<Object, Object> map = new LinkedHashMap<>();
        for (int left = count(); left > 0; left--) {
          map.put(value(contents[0]), value(contents[1]));
        }
        return map;
      }
      List<Object> list = new ArrayList<>();
      for (int left = count(); left > 0; left--) {
        list.add(value(contents[0]));
      }
      return list;
    }

    private Object alternative(List<Object> all) throws IOException {
      int position = readUnsignedByte();
      if (position >= all.size()) {
        throw new IOException("the received bytes are not a message");
      }
      return all.get(position);
    }

    private Object record(Class<?> type) throws IOException {
      Components components = COMPONENTS.get(type);
      Object[] values = new Object[components.types().length];
      for (int i = 0; i < values.length; i++) {
        values[i] = value(components.types()[i]);
      }
      try {
        return components.constructor().newInstance(values);
      } catch (ReflectiveOperationException e) {
        throwIfError(e.getCause());
        throw new IOException("the received bytes are not a message", e);
      }
    }
  }
}
