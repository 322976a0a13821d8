package io.tokenvault.benchmark.program;

import java.util.Map;
import java.util.stream.Collectors;

/**
 * A request that wrk sends.
 *
 * @param body empty for none; {@link #RANDOM_DIGITS} is replaced by random digits in each request
 */
public record WrkRequest(String method, String path, Map<String, String> headers, String body) {

  /** A placeholder of sixteen digits. */
  public static final String RANDOM_DIGITS = "0000000000000000";

  public static WrkRequest get(String path, Map<String, String> headers) {
    return new WrkRequest("GET", path, headers, "");
  }

  public static WrkRequest post(String path, Map<String, String> headers, String body) {
    return new WrkRequest("POST", path, headers, body);
  }

  /** Returns the arguments of wrk's {@code format} in Lua. */
  public String toLua() {
    String fields =
        headers.entrySet().stream()
            .map(each -> "[\"" + each.getKey() + "\"]=\"" + each.getValue() + "\"")
            .collect(Collectors.joining(","));
    String content = body.isEmpty() ? "nil" : "[==[" + body + "]==]";
    return "\"" + method + "\",\"" + path + "\",{" + fields + "}," + content;
  }
}
