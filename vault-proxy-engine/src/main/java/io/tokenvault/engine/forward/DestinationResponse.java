package io.tokenvault.engine.forward;

import io.tokenvault.domain.request.BodyRules;
import io.tokenvault.domain.request.HeaderField;
import io.tokenvault.engine.forward.egress.TrackedTlsSockets.TransportStream;
import io.tokenvault.ports.api.ProxyResponse;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Pattern;
import okhttp3.Headers;
import okhttp3.Protocol;
import okhttp3.Response;

/**
 * The head of a destination's response, which is unambiguous. OkHttp accepts nearly anything as a
 * head, and chooses between contradictory lengths itself.
 *
 * @param headers as the destination sent them
 * @param length of the body, if it is known. For a response without a body (to {@code HEAD}, or
 *     with status 304), this is the length that the body would have
 * @param hasBody whether there is a body, even if it is empty
 */
record DestinationResponse(
    int status, List<HeaderField> headers, OptionalLong length, boolean hasBody) {

  private static final int OK = 200;
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,18}");

  /**
   * Reads the head of a response.
   *
   * @throws ProtocolException if it is ambiguous: if the response is not final (no protocol switch
   *     was requested), a header could be split, or the end of the body is ambiguous
   */
  static DestinationResponse read(Response response) throws ProtocolException {
    List<HeaderField> fields = fields(response.headers());
    if (response.code() < OK || !hasSoundLength(response)) {
      throw invalid();
    }
    boolean hasBody = BodyRules.hasBody(response.request().method(), response.code());
    long length =
        hasBody
            ? response.body().contentLength()
            : Long.parseLong(response.header("Content-Length", "-1"));
    return new DestinationResponse(
        response.code(),
        fields,
        length < 0 ? OptionalLong.empty() : OptionalLong.of(length),
        hasBody);
  }

  /**
   * Returns the headers.
   *
   * @throws ProtocolException if one could be split when it is returned to the caller: its name is
   *     no token, or its value contains line breaks or NUL
   */
  private static List<HeaderField> fields(Headers headers) throws ProtocolException {
    List<HeaderField> fields = new ArrayList<>(headers.size());
    for (int i = 0; i < headers.size(); i++) {
      HeaderField field = new HeaderField(headers.name(i), headers.value(i));
      if (!field.isNamedByToken() || field.splitsLines()) {
        throw invalid();
      }
      fields.add(field);
    }
    return fields;
  }

  private static ProtocolException invalid() {
    return new ProtocolException("an invalid response");
  }

  /**
   * Returns the response with its body, possibly an empty one, whatever lengths its headers
   * announce.
   */
  ProxyResponse open(Response response, Optional<TransportStream> transport, Runnable end) {
    Body body =
        hasBody
            ? new Body(response, response.body().byteStream(), length, transport, end)
            : new Body(
                response,
                InputStream.nullInputStream(),
                OptionalLong.empty(),
                Optional.empty(),
                end);
    return new ProxyResponse(status, headers, body, length);
  }

  /** Returns whether there is at most one distinct length, or chunked encoding without a length. */
  private static boolean hasSoundLength(Response response) {
    List<String> lengths = response.headers("Content-Length");
    List<String> codings = response.headers("Transfer-Encoding");
    for (String length : lengths) {
      if (!DIGITS.matcher(length).matches() || !length.equals(lengths.get(0))) {
        return false;
      }
    }
    return codings.isEmpty()
        || (lengths.isEmpty()
            && response.protocol() == Protocol.HTTP_1_1
            && codings.size() == 1
            && codings.get(0).equalsIgnoreCase("chunked"));
  }

  /**
   * The body of a destination's response as it arrives; closing it ends the exchange.
   *
   * <p>A body that is shorter or longer than announced ends with a failure. OkHttp does not check
   * this over HTTP/2.
   *
   * <p>It is no FilterInputStream, whose {@code skip} would bypass the count.
   */
  private static final class Body extends InputStream {

    private final Response response;
    private final InputStream content;
    private final OptionalLong announced;
    private final Optional<TransportStream> transport;
    private final Runnable end;
    private long count;
    private boolean complete;

    Body(
        Response response,
        InputStream content,
        OptionalLong announced,
        Optional<TransportStream> transport,
        Runnable end) {
      this.response = response;
      this.content = content;
      this.announced = announced;
      this.transport = transport;
      this.end = end;
    }

    @Override
    public int available() throws IOException {
      return content.available();
    }

    @Override
    public void close() {
      try {
        response.close();
      } finally {
        end.run();
      }
    }

    @Override
    public int read() throws IOException {
      byte[] one = new byte[1];
      return read(one, 0, 1) < 0 ? -1 : Byte.toUnsignedInt(one[0]);
    }

    @Override
    public int read(byte[] buffer, int offset, int length) throws IOException {
      if (length == 0) {
        // OkHttp would block until a byte arrives.
        return 0;
      }
      int read = next(buffer, offset, length);
      count += Math.max(read, 0);
      // From now on, the connection may belong to another exchange.
      complete = read < 0 || count == announced.orElse(-1);
      boolean tooShort = read < 0 && count < announced.orElse(0);
      if (tooShort || count > announced.orElse(Long.MAX_VALUE)) {
        throw cutShort();
      }
      return read;
    }

    /** Reads on, replacing OkHttp's failure by one with a fixed text. */
    private int next(byte[] buffer, int offset, int length) throws IOException {
      if (!complete) {
        transport.ifPresent(TransportStream::expectContent);
      }
      try {
        return content.read(buffer, offset, length);
      } catch (IOException broken) {
        throw cutShort();
      }
    }

    /** Returns a failure without its cause, whose text is not under our control. */
    private static IOException cutShort() {
      return new IOException("the destination's response was cut short");
    }
  }
}
