package io.tokenvault.documentation;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** The links and the anchors of a Markdown page. */
record MarkdownPage(Path path, List<String> links, Set<String> anchors) {

  private static final Pattern CODE = Pattern.compile("(?ms)^\\s*```.*?^\\s*```|`[^`\n]*`");
  private static final Pattern LINK =
      Pattern.compile(
          "!?\\[(?:[^\\[\\]]|\\[[^\\]]*\\])*\\]\\(([^)\\s]+)\\)|(?:src|href)=\"([^\"]+)\"");
  private static final Pattern FENCE = Pattern.compile("(?ms)^\\s*```.*?^\\s*```");
  private static final Pattern HEADING = Pattern.compile("(?m)^#{1,6} +(.+)$");

  static MarkdownPage read(Path path) {
    String text = Pages.read(path);
    return new MarkdownPage(path, links(text), anchors(text));
  }

  private static List<String> links(String text) {
    return LINK.matcher(CODE.matcher(text).replaceAll("x"))
        .results()
        .map(MarkdownPage::target)
        .toList();
  }

  private static String target(MatchResult link) {
    return link.group(1) != null ? link.group(1) : link.group(2);
  }

  /** Returns the anchors that GitHub generates from headings. */
  private static Set<String> anchors(String text) {
    Map<String, Integer> seen = new HashMap<>();
    Set<String> anchors = new HashSet<>();
    HEADING
        .matcher(FENCE.matcher(text).replaceAll(""))
        .results()
        .map(heading -> anchor(heading.group(1)))
        .forEach(
            anchor -> {
              int before = seen.merge(anchor, 1, Integer::sum) - 1;
              anchors.add(before == 0 ? anchor : anchor + "-" + before);
            });
    return anchors;
  }

  static String anchor(String heading) {
    return heading
        .strip()
        .replaceAll("\\[([^\\]]*)\\]\\([^)]*\\)", "$1")
        .toLowerCase(Locale.ROOT)
        .replaceAll("[^\\p{L}\\p{N}_ -]", "")
        .replace(' ', '-');
  }
}
