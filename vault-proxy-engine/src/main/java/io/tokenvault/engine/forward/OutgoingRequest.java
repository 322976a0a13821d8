package io.tokenvault.engine.forward;

import io.tokenvault.domain.failure.FailureCause;
import io.tokenvault.domain.failure.RefusedException;
import io.tokenvault.domain.failure.ValidationException;
import io.tokenvault.domain.failure.VaultException;
import io.tokenvault.domain.proxy.Destination;
import io.tokenvault.domain.proxy.EgressPolicy;
import io.tokenvault.domain.proxy.InvalidDestinationException;
import io.tokenvault.domain.request.HeaderField;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import okhttp3.HttpUrl;

/**
 * A request exactly as it is sent, except for {@code Host} and the length of the body, which are
 * added.
 *
 * @param destination its origin receives the request; its own path and query are ignored
 * @param path starting with a slash, of the characters that RFC 3986 allows
 * @param query of the characters that RFC 3986 allows, without the question mark
 * @param headers in UTF-8, in order
 * @param timeout limit for the response; empty for the default
 * @param clientCertificate name of one of {@link ClientCertificates}; empty for none
 */
public record OutgoingRequest(
    String method,
    Destination destination,
    String path,
    Optional<String> query,
    List<HeaderField> headers,
    Optional<OutgoingBody> body,
    Optional<Duration> timeout,
    Optional<String> clientCertificate) {

  /**
   * Creates a request whose headers cannot be split.
   *
   * @throws ValidationException if a header's value contains a line break or NUL
   */
  public OutgoingRequest {
    headers = List.copyOf(headers);
    for (HeaderField header : headers) {
      if (header.splitsLines()) {
        throw ValidationException.of(
            "error", "The value of a header must not contain line breaks or NUL.");
      }
    }
  }

  /**
   * Parses the URL of a destination and checks it against the egress policy. Refuses early what
   * OkHttp would refuse when sending: a host name whose Punycode is invalid or not canonical.
   *
   * @param subject what the refusal calls the URL
   * @throws RefusedException if no request may or can be sent there
   */
  public static Destination destination(String url, EgressPolicy policy, String subject) {
    try {
      Destination destination = Destination.parse(url);
      Optional<String> refusal = policy.refusal(destination);
      if (refusal.isPresent()) {
        throw refused(subject + " " + refusal.get() + ".");
      }
      url(destination, "/", Optional.empty());
      return destination;
    } catch (InvalidDestinationException invalid) {
      throw refused(subject + " " + invalid.getMessage() + ".");
    }
  }

  private static RefusedException refused(String detail) {
    return new RefusedException(FailureCause.DESTINATION_INVALID, detail);
  }

  /**
   * Returns the URL, which is identical to the destination that was checked, byte for byte.
   *
   * @throws RefusedException if OkHttp would send anything else
   */
  HttpUrl url() {
    return url(destination, path, query);
  }

  private static HttpUrl url(Destination destination, String path, Optional<String> query) {
    HttpUrl url = build(destination, path, query);
    // Whether OkHttp has changed none of the parts.
    boolean isExact =
        url.host().equals(destination.host())
            && url.port() == destination.port()
            && url.encodedPath().equals(path)
            && Optional.ofNullable(url.encodedQuery()).equals(query);
    if (!isExact) {
      throw refused("The destination URL cannot be sent as written.");
    }
    return url;
  }

  private static HttpUrl build(Destination destination, String path, Optional<String> query) {
    try {
      HttpUrl.Builder url =
          new HttpUrl.Builder().scheme("https").port(destination.port()).encodedPath(path);
      if (isPlain(destination.host())) {
        url.setHost$okhttp(destination.host());
      } else {
        url.host(destination.host());
      }
      // All public methods for setting a query encode the apostrophe, which a query may contain.
      query.ifPresent(text -> url.setEncodedQueryNamesAndValues$okhttp(Arrays.asList(text, null)));
      return url.build();
    } catch (IllegalArgumentException unusable) {
      // The cause is omitted because it quotes the URL.
      throw refused("The destination URL cannot be used.");
    }
  }

  /**
   * Returns whether a valid host name, such as that of every parsed destination, is the same in
   * OkHttp's canonical form. Finding that out by mapping each character by the tables for
   * international names would be the slowest part of a request's way through OkHttp.
   */
  private static boolean isPlain(String host) {
    for (int i = 0; i < host.length(); i++) {
      char each = host.charAt(i);
      if ((each < 'a' || each > 'z') && (each < '0' || each > '9') && each != '.' && each != '-') {
        return false;
      }
    }
    return !host.isEmpty() && !host.contains("xn--");
  }

  /** Returns the method only: every other part can be secret. */
  @Override
  public String toString() {
    return "OutgoingRequest[" + method + "]";
  }

  /**
   * The body of a request, which can be read once.
   *
   * @param content may throw {@link BodyRefusedException} to end the request, unfinished
   * @param length in bytes, if it is known
   */
  public record OutgoingBody(InputStream content, OptionalLong length) {}

  /**
   * Thrown by the stream of a request's body that turns out to be unacceptable while it is sent. It
   * ends the transmission.
   */
  public static final class BodyRefusedException extends IOException {

    private static final long serialVersionUID = 1L;

    private final transient VaultException refusal;

    public BodyRefusedException(VaultException refusal) {
      super(refusal.getMessage());
      this.refusal = refusal;
    }

    /** Returns the failure that the caller receives. */
    public VaultException refusal() {
      return refusal;
    }
  }
}
