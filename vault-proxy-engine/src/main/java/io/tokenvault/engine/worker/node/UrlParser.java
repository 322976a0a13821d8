package io.tokenvault.engine.worker.node;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The parser of the URL standard (url.spec.whatwg.org), which differs from {@link java.net.URI} in
 * what it accepts, repairs and refuses.
 */
final class UrlParser {

  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*):");
  private static final Pattern DRIVE = Pattern.compile("[A-Za-z][:|](?=[/\\\\?#]|$)");
  private static final Pattern TABS_AND_LINES = Pattern.compile("[\t\n\r]");

  private final Url url = new Url();
  private final Url base;

  private UrlParser(Url base) {
    this.base = base;
  }

  /**
   * @param base null for none
   * @return null if this is no URL
   */
  static Url parse(String input, Url base) {
    String text = TABS_AND_LINES.matcher(trimmed(input)).replaceAll("");
    UrlParser parser = new UrlParser(base);
    return parser.start(text) ? parser.url : null;
  }

  private static String trimmed(String input) {
    int start = 0;
    int end = input.length();
    while (start < end && input.charAt(start) <= ' ') {
      start++;
    }
    while (end > start && input.charAt(end - 1) <= ' ') {
      end--;
    }
    return input.substring(start, end);
  }

  private boolean start(String text) {
    Matcher scheme = SCHEME.matcher(text);
    if (scheme.lookingAt()) {
      url.scheme = scheme.group(1).toLowerCase(Locale.ROOT);
      return afterScheme(text.substring(scheme.end()));
    }
    if (base == null || (base.opaquePath != null && !text.startsWith("#"))) {
      return false;
    }
    url.scheme = base.scheme;
    if (base.opaquePath != null) {
      url.opaquePath = base.opaquePath;
      url.query = base.query;
      return tail(text);
    }
    return url.isFile() ? file(text, base) : relative(text);
  }

  private boolean afterScheme(String rest) {
    boolean same = base != null && base.scheme.equals(url.scheme);
    if (url.isFile()) {
      return file(rest, same ? base : null);
    }
    if (url.special()) {
      boolean relative = same && !rest.startsWith("//");
      return relative ? relative(rest) : authority(withoutSlashes(rest));
    }
    if (rest.startsWith("//")) {
      return authority(rest.substring(2));
    }
    if (rest.startsWith("/")) {
      return path(rest.substring(1));
    }
    int end = endOf(rest, "?#");
    url.opaquePath = Percent.encode(rest.substring(0, end), Percent.CONTROL);
    return tail(rest.substring(end));
  }

  private boolean relative(String rest) {
    if (isSlash(rest, 0)) {
      if (isSlash(rest, 1)) {
        return authority(url.special() ? withoutSlashes(rest) : rest.substring(2));
      }
      url.copyAuthority(base);
      return path(rest.substring(1));
    }
    url.copyAuthority(base);
    return relativePath(rest);
  }

  private boolean relativePath(String rest) {
    url.path.addAll(base.path);
    if (rest.isEmpty() || rest.startsWith("#")) {
      url.query = base.query;
      return tail(rest);
    }
    if (rest.startsWith("?")) {
      return tail(rest);
    }
    if (url.isFile() && DRIVE.matcher(rest).lookingAt()) {
      url.path.clear();
    } else {
      url.shorten();
    }
    return path(rest);
  }

  private boolean file(String rest, Url from) {
    url.host = "";
    if (isSlash(rest, 0)) {
      return isSlash(rest, 1) ? fileHost(rest.substring(2)) : fileRoot(rest.substring(1), from);
    }
    if (from == null) {
      return path(rest);
    }
    url.host = from.host;
    return relativePath(rest);
  }

  private boolean fileRoot(String rest, Url from) {
    if (from != null) {
      url.host = from.host;
      boolean drive = !from.path.isEmpty() && from.path.get(0).matches("[A-Za-z]:");
      if (drive && !DRIVE.matcher(rest).lookingAt()) {
        url.path.add(from.path.get(0));
      }
    }
    return path(rest);
  }

  private boolean fileHost(String rest) {
    int end = endOf(rest, "/\\?#");
    if (end == 2 && DRIVE.matcher(rest).lookingAt()) {
      return path(rest);
    }
    if (end > 0) {
      String host = UrlHost.parse(rest.substring(0, end), true);
      if (host == null) {
        return false;
      }
      url.host = host.equals("localhost") ? "" : host;
    }
    return pathStart(rest.substring(end));
  }

  private boolean authority(String rest) {
    int end = endOf(rest, url.special() ? "/\\?#" : "/?#");
    String text = rest.substring(0, end);
    int at = text.lastIndexOf('@');
    if (at >= 0) {
      credentials(text.substring(0, at));
    }
    String hostAndPort = text.substring(at + 1);
    if ((at >= 0 && hostAndPort.isEmpty()) || !hostAndPort(hostAndPort)) {
      return false;
    }
    return pathStart(rest.substring(end));
  }

  private void credentials(String text) {
    int colon = text.indexOf(':');
    url.username = Percent.encode(colon < 0 ? text : text.substring(0, colon), Percent.USERINFO);
    url.password = colon < 0 ? "" : Percent.encode(text.substring(colon + 1), Percent.USERINFO);
  }

  private boolean hostAndPort(String text) {
    int colon = text.indexOf(':', Math.max(0, text.startsWith("[") ? text.indexOf(']') : 0));
    String name = colon < 0 ? text : text.substring(0, colon);
    if (name.isEmpty() && (url.special() || colon >= 0)) {
      return false;
    }
    url.host = name.isEmpty() ? "" : UrlHost.parse(name, url.special());
    return url.host != null && (colon < 0 || port(text.substring(colon + 1)));
  }

  private boolean port(String text) {
    if (!text.chars().allMatch(c -> c >= '0' && c <= '9')) {
      return false;
    }
    String digits = text.replaceFirst("^0+(?=.)", "");
    if (digits.length() > 5 || (!digits.isEmpty() && Integer.parseInt(digits) > 0xffff)) {
      return false;
    }
    if (!digits.isEmpty()) {
      url.setPort(Integer.parseInt(digits));
    }
    return true;
  }

  private boolean pathStart(String rest) {
    if (isSlash(rest, 0)) {
      return path(rest.substring(1));
    }
    return url.special() ? path(rest) : tail(rest);
  }

  /** What follows the slash that begins a path, or a path that is added to that of the base. */
  private boolean path(String rest) {
    int end = endOf(rest, "?#");
    int from = 0;
    while (from <= end) {
      int to = from;
      while (to < end && !isSlash(rest, to)) {
        to++;
      }
      segment(Percent.encode(rest.substring(from, to), Percent.PATH), to == end);
      from = to + 1;
    }
    return tail(rest.substring(end));
  }

  private void segment(String segment, boolean last) {
    String plain = segment.replaceAll("(?i)%2e", ".");
    if (plain.equals("..")) {
      url.shorten();
    }
    if (plain.equals("..") || plain.equals(".")) {
      if (last) {
        url.path.add("");
      }
      return;
    }
    boolean drive = url.isFile() && url.path.isEmpty() && segment.matches("[A-Za-z][:|]");
    url.path.add(drive ? segment.charAt(0) + ":" : segment);
  }

  /** The query and the fragment. */
  private boolean tail(String rest) {
    int hash = rest.indexOf('#');
    String query = hash < 0 ? rest : rest.substring(0, hash);
    if (query.startsWith("?")) {
      url.query = query(query.substring(1), url);
    }
    if (hash >= 0) {
      url.fragment = Percent.encode(rest.substring(hash + 1), Percent.FRAGMENT);
    }
    return true;
  }

  private static String query(String text, Url url) {
    return Percent.encode(text, url.special() ? Percent.SPECIAL_QUERY : Percent.QUERY);
  }

  private boolean isSlash(String text, int at) {
    return at < text.length()
        && (text.charAt(at) == '/' || (text.charAt(at) == '\\' && url.special()));
  }

  private static String withoutSlashes(String text) {
    return text.replaceFirst("^[/\\\\]+", "");
  }

  private static int endOf(String text, String ends) {
    int at = 0;
    while (at < text.length() && ends.indexOf(text.charAt(at)) < 0) {
      at++;
    }
    return at;
  }

  /**
   * Sets a part as a script does; what cannot be set leaves the URL as it was.
   *
   * @return the URL that results, which may be the same
   */
  static Url set(Url url, String part, String value) {
    String text = TABS_AND_LINES.matcher(value).replaceAll("");
    UrlParser parser = new UrlParser(url);
    Url target = parser.url;
    target.scheme = url.scheme;
    target.copyAuthority(url);
    target.opaquePath = url.opaquePath;
    target.path.addAll(url.path);
    target.query = url.query;
    target.fragment = url.fragment;
    return parser.change(part, text) ? target : url;
  }

  private boolean change(String part, String text) {
    switch (part) {
      case "protocol":
        return changeScheme(text);
      case "username":
        url.username = Percent.encode(text, Percent.USERINFO);
        return url.takesUserinfo();
      case "password":
        url.password = Percent.encode(text, Percent.USERINFO);
        return url.takesUserinfo();
      case "host":
        return changeHost(text, true);
      case "hostname":
        return changeHost(text, false);
      case "port":
        return changePort(text);
      case "pathname":
        return changePath(text);
      case "search":
        url.query =
            text.isEmpty() ? null : query(text.startsWith("?") ? text.substring(1) : text, url);
        return true;
      default:
        String hash = text.startsWith("#") ? text.substring(1) : text;
        url.fragment = text.isEmpty() ? null : Percent.encode(hash, Percent.FRAGMENT);
        return true;
    }
  }

  private boolean changeScheme(String text) {
    Matcher matcher = SCHEME.matcher(text.contains(":") ? text : text + ":");
    if (!matcher.lookingAt()) {
      return false;
    }
    String scheme = matcher.group(1).toLowerCase(Locale.ROOT);
    boolean fileWithAuthority =
        scheme.equals("file")
            && (!url.username.isEmpty() || !url.password.isEmpty() || url.port != null);
    boolean hostless = url.isFile() && (url.host == null || url.host.isEmpty());
    if (Url.isSpecial(scheme) != url.special() || fileWithAuthority || hostless) {
      return false;
    }
    url.scheme = scheme;
    if (url.port != null) {
      url.setPort(url.port);
    }
    return true;
  }

  private boolean changeHost(String text, boolean withPort) {
    if (url.opaquePath != null) {
      return false;
    }
    String all = text.substring(0, endOf(text, url.special() ? "/\\?#" : "/?#"));
    int colon = all.indexOf(':', Math.max(0, all.startsWith("[") ? all.indexOf(']') : 0));
    String name = colon < 0 ? all : all.substring(0, colon);
    boolean bare = name.isEmpty();
    if (bare && ((url.special() && !url.isFile()) || colon >= 0 || hasAuthority())) {
      return false;
    }
    if (colon >= 0 && !withPort) {
      return false;
    }
    url.host = bare ? "" : UrlHost.parse(name, url.special());
    if (url.host != null && url.isFile() && url.host.equals("localhost")) {
      url.host = "";
    }
    if (url.host != null && colon >= 0) {
      changePort(all.substring(colon + 1));
    }
    return url.host != null;
  }

  private boolean hasAuthority() {
    return !url.username.isEmpty() || !url.password.isEmpty() || url.port != null;
  }

  private boolean changePort(String text) {
    if (!url.takesUserinfo()) {
      return false;
    }
    if (text.isEmpty()) {
      url.port = null;
      return true;
    }
    int end = 0;
    while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
      end++;
    }
    return end > 0 && port(text.substring(0, end));
  }

  private boolean changePath(String text) {
    if (url.opaquePath != null) {
      return false;
    }
    url.path.clear();
    String escaped = text.replace("?", "%3F").replace("#", "%23");
    String query = url.query;
    String fragment = url.fragment;
    boolean set =
        (escaped.isEmpty() && !url.special())
            || path(isSlash(escaped, 0) ? escaped.substring(1) : escaped);
    url.query = query;
    url.fragment = fragment;
    return set;
  }
}
