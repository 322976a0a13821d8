package io.tokenvault.engine.worker.node;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A URL of the URL standard, in parts. */
final class Url {

  private static final Map<String, Integer> PORTS =
      Map.of("http", 80, "https", 443, "ws", 80, "wss", 443, "ftp", 21);

  String scheme = "";
  String username = "";
  String password = "";

  /** Null for none. */
  String host;

  /** Null for the scheme's own. */
  Integer port;

  /** Null unless the path is no hierarchy, as that of {@code mailto:}. */
  String opaquePath;

  List<String> path = new ArrayList<>();

  /** Null for none. */
  String query;

  /** Null for none. */
  String fragment;

  static boolean isSpecial(String scheme) {
    return PORTS.containsKey(scheme) || scheme.equals("file");
  }

  boolean special() {
    return isSpecial(scheme);
  }

  boolean isFile() {
    return scheme.equals("file");
  }

  boolean takesUserinfo() {
    return host != null && !host.isEmpty() && !isFile();
  }

  void setPort(int number) {
    Integer own = PORTS.get(scheme);
    port = own != null && own == number ? null : Integer.valueOf(number);
  }

  Url copy() {
    Url copy = new Url();
    copy.scheme = scheme;
    copy.copyAuthority(this);
    copy.opaquePath = opaquePath;
    copy.path = new ArrayList<>(path);
    copy.query = query;
    copy.fragment = fragment;
    return copy;
  }

  void copyAuthority(Url other) {
    username = other.username;
    password = other.password;
    host = other.host;
    port = other.port;
  }

  void shorten() {
    boolean drive = isFile() && path.size() == 1 && path.get(0).matches("[A-Za-z]:");
    if (!drive && !path.isEmpty()) {
      path.remove(path.size() - 1);
    }
  }

  String pathname() {
    return opaquePath != null ? opaquePath : path.isEmpty() ? "" : "/" + String.join("/", path);
  }

  String hostAndPort() {
    return host == null ? "" : port == null ? host : host + ":" + port;
  }

  String origin() {
    if (scheme.equals("blob")) {
      Url inner = UrlParser.parse(pathname(), null);
      return inner != null && inner.scheme.matches("https?") ? inner.origin() : "null";
    }
    return special() && !isFile() ? scheme + "://" + hostAndPort() : "null";
  }

  String href() {
    StringBuilder out = new StringBuilder(scheme).append(':');
    if (host != null) {
      out.append("//").append(userinfo()).append(hostAndPort());
    } else if (opaquePath == null && path.size() > 1 && path.get(0).isEmpty()) {
      out.append("/.");
    }
    out.append(pathname());
    return out.append(query == null ? "" : "?" + query)
        .append(fragment == null ? "" : "#" + fragment)
        .toString();
  }

  private String userinfo() {
    if (username.isEmpty() && password.isEmpty()) {
      return "";
    }
    return username + (password.isEmpty() ? "" : ":" + password) + "@";
  }

  /** What the script's object is made of, in the order in which it expects it. */
  Object[] parts() {
    return new Object[] {
      href(),
      scheme + ":",
      username,
      password,
      hostAndPort(),
      host == null ? "" : host,
      port == null ? "" : port.toString(),
      pathname(),
      query == null || query.isEmpty() ? "" : "?" + query,
      fragment == null || fragment.isEmpty() ? "" : "#" + fragment,
      origin()
    };
  }
}
