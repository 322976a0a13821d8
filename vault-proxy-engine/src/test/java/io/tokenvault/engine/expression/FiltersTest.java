package io.tokenvault.engine.expression;

import static io.tokenvault.engine.expression.Evaluations.failure;
import static io.tokenvault.engine.expression.Evaluations.result;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests edge cases and errors of filters that docs/expressions.md does not cover. */
class FiltersTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '`',
      value = {
        // Partial reveal
        "\"12345\"        ¦ last4                           ¦ \"2345\"",
        "12345            ¦ last4                           ¦ \"2345\"",
        "\"\"             ¦ last4                           ¦ \"\"",
        "\"a😀b😀c😀\"    ¦ last4                           ¦ \"b😀c😀\"",
        "\"a😀😀b\"       ¦ reveal: 2, 1                    ¦ \"a😀Xb\"",
        "\"abc\"          ¦ reveal: 0, 0                    ¦ \"XXX\"",
        "\"abc\"          ¦ reveal: 2, 0, '😀'              ¦ \"ab😀\"",
        "\"abc\"          ¦ reveal: 2, 2                    ¦ \"XXX\"",
        "\"a-b-c\"        ¦ reveal: 1, 1, keep: '-', mask: '*' ¦ \"a-*-c\"",
        "\"a--c\"         ¦ reveal: 1, 1, keep='-'          ¦ \"XXXX\"",
        "\"abc\"          ¦ reveal: 1, 1, '*', 'b'          ¦ \"***\"",
        "\"--1234\"       ¦ reveal_last: 4                  ¦ \"XXXXXX\"",
        "\"1-2-3\"        ¦ reveal_last: 4                  ¦ \"X-2-3\"",
        "\"12-34\"        ¦ reveal_last: 5                  ¦ \"XXXXX\"",
        "\"12-34\"        ¦ reveal_last: 0, mask: '0'       ¦ \"00-00\"",
        "\"😀\"           ¦ pad_left: 3, '-'                ¦ \"--😀\"",
        "\"abcd\"         ¦ pad_right: 3, '-'               ¦ \"abcd\"",
        // JSON
        "{\"a\":null}     ¦ json: '$.a'                     ¦ null",
        "{\"a\":1e5}      ¦ json: '$.a'                     ¦ 1e5",
        "{\"a\":[1,{}]}   ¦ json: '$.a'                     ¦ [1,{}]",
        "{\"a\":[1,2]}    ¦ json: '$.a[*]' | default: 1     ¦ FAILS",
        "{\"a\":[1]}      ¦ json: '$..a[*]'                 ¦ 1",
        "{\"a\":1}        ¦ json: '$.a.b.c'                 ¦ null",
        "\"text\"         ¦ json: '$.a'                     ¦ null",
        "\"text\"         ¦ json: '$'                       ¦ \"text\"",
        "\"{\\\"a\\\":1}\" ¦ json: '$.a'                    ¦ null",
        "[{\"v\":1.5},{\"v\":12}] ¦ json: '$[?(@.v > 2)].v' ¦ 12",
        // Types
        "\"a\\\"\\u0000\" ¦ stringify                       ¦ \"\\\"a\\\\\\\"\\\\u0000\\\"\"",
        "null             ¦ stringify                       ¦ \"null\"",
        "null             ¦ to_string                       ¦ \"\"",
        "[1,\"a\"]        ¦ to_string                       ¦ \"[1,\\\"a\\\"]\"",
        "\" -007 \"       ¦ to_number                       ¦ -7",
        "\"0.50\"         ¦ to_number                       ¦ 0.50",
        "\"000\"          ¦ to_number                       ¦ 0",
        "\"1E+2\"         ¦ to_number                       ¦ 1E+2",
        "1.0              ¦ to_number                       ¦ 1.0",
        "\".5\"           ¦ to_number                       ¦ FAILS",
        "\"1.\"           ¦ to_number                       ¦ FAILS",
        "\"-\"            ¦ to_number                       ¦ FAILS",
        "\"١\"            ¦ to_number                       ¦ FAILS",
        "\"1,5\"          ¦ to_number                       ¦ FAILS",
        "\"\"             ¦ to_number                       ¦ FAILS",
        "true             ¦ to_number                       ¦ FAILS",
        "\" FALSE \"      ¦ to_boolean                      ¦ false",
        "true             ¦ to_boolean                      ¦ true",
        "1                ¦ to_boolean                      ¦ FAILS",
        "\"\"             ¦ to_base64                       ¦ \"\"",
        "\"Ab\"           ¦ to_base16                       ¦ \"4162\"",
        "\"a\"            ¦ hmac: 'SHA-256', 'k' | to_base16 | size ¦ 64",
        "\"a\"            ¦ hmac: 'sha-512', 'k' | size     ¦ 128",
        "\"a\"            ¦ hmac: 'sha-384', 'k' | to_base64 | size ¦ 64",
        "\"a\"            ¦ hmac: 'sha-256', 'k' | upcase | to_base64 | size ¦ 88",
        // Strings
        "\"\"             ¦ append: 1.50 | append: true | append: null ¦ \"1.50true\"",
        "12               ¦ append: '!'                     ¦ \"12!\"",
        "null             ¦ append: '!'                     ¦ \"!\"",
        "\"\"             ¦ capitalize                      ¦ \"\"",
        "\"über ALLES\"   ¦ capitalize                      ¦ \"Über alles\"",
        "\"I\"            ¦ downcase                        ¦ \"i\"",
        "\"\\u2003a\\u2003\" ¦ strip                        ¦ \"a\"",
        "\"a.b.c\"        ¦ replace: '.', '$1'              ¦ \"a$1b$1c\"",
        "\"a.b\"          ¦ replace_first: '.', '$1\\'      ¦ \"a$1\\\\b\"",
        "\"aaa\"          ¦ remove_first: 'a'               ¦ \"aa\"",
        "\"😀ab\"         ¦ slice: 0                        ¦ \"😀\"",
        "\"😀ab\"         ¦ slice: -2, 9                    ¦ \"ab\"",
        "\"ab\"           ¦ slice: 5                        ¦ \"\"",
        "\"ab\"           ¦ slice: -3, 2                    ¦ \"\"",
        "[1,2,3]          ¦ slice: 1, 9                     ¦ [2,3]",
        "[1]              ¦ slice: 4                        ¦ []",
        "\"-a--b\"        ¦ split: '-'                      ¦ [\"\",\"a\",\"\",\"b\"]",
        "\"a😀\"          ¦ split: ''                       ¦ [\"a\",\"😀\"]",
        "\"\"             ¦ split: ','                      ¦ []",
        "\"a.b\"          ¦ split: '.' | last               ¦ \"b\"",
        "\"😀😀😀\"       ¦ truncate: 2, ''                 ¦ \"😀😀\"",
        "\"abc\"          ¦ truncate: 3                     ¦ \"abc\"",
        "\"abcd\"         ¦ truncate: 2                     ¦ \"...\"",
        "\"a  b c\"       ¦ truncatewords: 2, '!'           ¦ \"a b!\"",
        "\"a b\"          ¦ truncatewords                   ¦ \"a b\"",
        "\"<\\\"'>\"      ¦ escape                          ¦ \"&lt;&quot;'&gt;\"",
        "\"%zz\"          ¦ url_decode                      ¦ FAILS",
        "\"%\"            ¦ url_decode                      ¦ FAILS",
        "\"plain\"        ¦ url_decode                      ¦ \"plain\"",
        "\"a\\r\\nb\"     ¦ strip_newlines                  ¦ \"ab\"",
        "\"2026-02-28\"   ¦ date: '%Y%m%d %H:%M:%S %z'      ¦ \"20260228 00:00:00 +0000\"",
        "\"2026-02-28 10:11:12.5+02:00\" ¦ date: '%H %z'    ¦ \"10 +0200\"",
        "1767225600       ¦ date: '%B %-d, %Y'              ¦ \"January 1, 2026\"",
        "\"2026-02-30\"   ¦ date: '%Y'                      ¦ FAILS",
        "\"now\"          ¦ date: '%Y'                      ¦ FAILS",
        "\"today\"        ¦ date: '%Y'                      ¦ FAILS",
        "1.5              ¦ date: '%Y'                      ¦ FAILS",
        "99999999999999999 ¦ date: '%Y'                     ¦ FAILS",
        "0                ¦ date: ' '                       ¦ FAILS",
        "0                ¦ date: '%0999999999d'            ¦ FAILS",
        "false            ¦ default: 1                      ¦ 1",
        "[]               ¦ default: 'x'                    ¦ \"x\"",
        "{}               ¦ default: 'x'                    ¦ \"x\"",
        "0                ¦ default: 'x'                    ¦ 0",
        "1.0              ¦ default: 'x'                    ¦ 1.0",
        "{\"a\":1}        ¦ size                            ¦ 1",
        "1                ¦ size                            ¦ FAILS",
        // Numbers
        "1                ¦ plus: 0.50                      ¦ 1.50",
        "9223372036854775807 ¦ plus: 1                      ¦ 9223372036854775808",
        "\" 3 \"          ¦ times: '2'                      ¦ 6",
        "1e3              ¦ plus: 1                         ¦ 1001",
        "1e999999999      ¦ plus: 1                         ¦ FAILS",
        "1e99999999999    ¦ plus: 1                         ¦ FAILS",
        "-7               ¦ divided_by: 2                   ¦ -4",
        "-7               ¦ modulo: 4                       ¦ 1",
        "7.5              ¦ modulo: 2                       ¦ 1.5",
        "1                ¦ divided_by: 3.0                 ¦ 0.3333333333333333",
        "6                ¦ divided_by: 2.0                 ¦ 3.0",
        "1                ¦ divided_by: 0                   ¦ FAILS",
        "1                ¦ modulo: 0                       ¦ FAILS",
        "2.5              ¦ round                           ¦ 3",
        "-2.5             ¦ round                           ¦ -3",
        "2                ¦ round: 2                        ¦ 2",
        "-2.5             ¦ floor                           ¦ -3",
        "-2.5             ¦ ceil                            ¦ -2",
        "\"-1.5\"         ¦ abs                             ¦ 1.5",
        "\"x\"            ¦ abs                             ¦ FAILS",
        "null             ¦ plus: 1                         ¦ FAILS",
        "true             ¦ plus: 1                         ¦ FAILS",
        // Lists
        "[]               ¦ first                           ¦ null",
        "\"abc\"          ¦ first                           ¦ FAILS",
        "{}               ¦ last                            ¦ FAILS",
        "[1.50,\"a\",null,true] ¦ join                      ¦ \"1.50 a  true\"",
        "[[1]]            ¦ join                            ¦ FAILS",
        "[{\"a\":1}]      ¦ join                            ¦ FAILS",
        "[]               ¦ join                            ¦ \"\"",
        "[1,1,1.0]        ¦ uniq                            ¦ [1,1.0]",
        "[{\"a\":1},{\"a\":1}] ¦ uniq                       ¦ [{\"a\":1}]",
        "[10,9.5,1e1]     ¦ sort                            ¦ [9.5,10,1e1]",
        "[\"b\",\"B\",\"a\"] ¦ sort                         ¦ [\"B\",\"a\",\"b\"]",
        "[1,\"a\"]        ¦ sort                            ¦ FAILS",
        "[[1],[0]]        ¦ sort                            ¦ FAILS",
        "[{\"z\":1,\"n\":2},{\"n\":1,\"b\":3}] ¦ sort: 'n'  ¦"
            + " [{\"n\":1,\"b\":3},{\"z\":1,\"n\":2}]",
        "[{\"n\":1},{}]   ¦ sort: 'n'                       ¦ FAILS",
        "[\"b\",1]        ¦ sort_natural                    ¦ FAILS",
        "[{\"n\":1},{}]   ¦ map: 'n'                        ¦ [1]",
        "[1]              ¦ map: 'n'                        ¦ FAILS",
        "[{\"n\":1},{\"n\":null},{}] ¦ where: 'n'           ¦ [{\"n\":1}]",
        "[{\"n\":\"1\"},{\"n\":1.0}] ¦ where: 'n', '1'      ¦ [{\"n\":\"1\"}]",
        "[1]              ¦ where: 'n'                      ¦ FAILS",
        "[1]              ¦ concat: 'x'                     ¦ FAILS",
        "[1]              ¦ concat: data | size             ¦ 2"
      })
  void filterReturnsResultOrFails(String data, String filters, String expected) {
    String result = result(data, "{{ data | " + filters + " }}");

    if (expected.equals("FAILS")) {
      assertThat(result).startsWith("violations: filter ");
    } else {
      assertThat(result).isEqualTo(expected);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '¦',
      quoteCharacter = '`',
      value = {
        "none                           ¦ filter 1 is unknown",
        "last4 | None                   ¦ filter 2 is unknown",
        "Upcase                         ¦ filter 1 is unknown",
        "strip_html                     ¦ filter 1 is unknown",
        "alias_preserve_format: 1, 4    ¦ an alias filter can only be the last filter of an id",
        "upcase: 1                      ¦ filter 1 (upcase) takes no arguments, not 1",
        "append                         ¦ filter 1 (append) takes 1 argument, not 0",
        "append: 'a', 'b'               ¦ filter 1 (append) takes 1 argument, not 2",
        "reveal: 1                      ¦ filter 1 (reveal) takes 2 to 4 arguments, not 1",
        "reveal: 1, 2, 'X', '', ''      ¦ filter 1 (reveal) takes 2 to 4 arguments, not 5",
        "reveal: 1, 2, show='X'         ¦ filter 1 (reveal) has no argument of that name",
        "reveal: 1, 2, 'X', mask='X'    ¦ filter 1 (reveal) has an argument twice",
        "reveal: 1, 2, mask='X', mask='Y' ¦ filter 1 has an argument twice",
        "reveal: 1, mask='X', 2         ¦ filter 1 has arguments after those with names",
        "reveal: 1, 2, mask=''          ¦ filter 1 (reveal) requires one character as argument 3",
        "reveal: 1, 2, mask='XY'        ¦ filter 1 (reveal) requires one character as argument 3",
        "reveal: -1, 2                  ¦ filter 1 (reveal) requires a whole number from 0 to"
            + " 1048576 as argument 1",
        "reveal: 1.5, 2                 ¦ filter 1 (reveal) requires a whole number from 0 to"
            + " 1048576 as argument 1",
        "reveal_last: '4'               ¦ filter 1 (reveal_last) requires a whole number from 0"
            + " to 1048576 as argument 1",
        "pad_left: 10001, ' '           ¦ filter 1 (pad_left) requires a whole number from 0 to"
            + " 10000 as argument 1",
        "append: text='a'               ¦ filter 1 (append) takes 1 argument, not 0",
        "replace: '', 'a'               ¦ filter 1 (replace) requires a string of 1 to 1000"
            + " characters as argument 1",
        "json: '$[?(@.a subsetof @.b)]' ¦ filter 1 (json) requires a JSONPath without functions,"
            + " regular expressions, word operators, commas, or a second $, .. or ?",
        "hmac: 'md5', 'k'               ¦ filter 1 (hmac) supports 'sha-256', 'sha-384' and"
            + " 'sha-512'",
        "hmac: 'sha-256', ''            ¦ filter 1 (hmac) requires a key",
        "plus: 'a'                      ¦ filter 1 (plus) requires a number, or a string that is"
            + " a number",
        "append: 'a                     ¦ a string has no closing quote",
        "append: 01                     ¦ filter 1 has a malformed number",
        "append: 1x                     ¦ filter 1 has unexpected text after it",
        "append:                        ¦ filter 1 lacks an argument",
        "append: ,                      ¦ filter 1 lacks an argument",
        "append: 'a',                   ¦ filter 1 lacks an argument",
        "append 'a'                     ¦ filter 1 has unexpected text after it",
        "upcase upcase                  ¦ filter 1 has unexpected text after it",
        "upcase |                       ¦ filter 2 has no name",
        "| upcase                       ¦ filter 1 has no name",
        "append: none                   ¦ filter 1 (append) must start with data",
        "append: data.none              ¦ filter 1 (append) names a property that does not exist",
        "append: data[                  ¦ names no property; write it as data.name or data['a"
            + " name']"
      })
  void invalidArgumentsAreReported(String filters, String message) {
    assertThat(failure("\"secret\"", "{{ data | " + filters + " }}")).isEqualTo(message);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "",
        "$.",
        "$[",
        "$..a..b",
        "$.a.length()",
        "$.sum($.a)",
        "$[?(@.a =~ /(x+)+y/)]",
        "$[?(@.a == $.b)]",
        "$['a','a']['a','a']",
        "$[?(@.a)][?(@.b)]",
        "$[?(@..a && @..b)]"
      })
  void malformedOrCostlyPathIsRejected(String path) {
    assertThat(failure("{\"a\":1}", "{{ data | json: \"" + path + "\" }}"))
        .startsWith("filter 1 (json) requires a ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"$..a", "$.*.*.a", "$..[?(@.a == 1)]"})
  void pathOverManyPartsUnderLongNameIsRejected(String path) {
    String name = "n".repeat(1000);
    String few = "{\"" + name + "\":[" + "{},".repeat(1000) + "{\"a\":1}]}";
    String many = "{\"" + name + "\":[" + "{},".repeat(100_000) + "{\"a\":1}]}";

    assertThat(failure(few, "{{ data | json: '" + path + "' }}")).isEqualTo("no violation");
    assertThat(failure(many, "{{ data | json: '" + path + "' }}"))
        .contains("such long names")
        .doesNotContain("nnn");
  }

  @Test
  void pathOverMaximumPartsUnderShortNamesIsFollowed() {
    String most = "{\"items\":[" + "{\"b\":1},".repeat(50_000) + "{\"a\":1}]}";

    assertThat(result(most, "{{ data | json: '$..a' }}")).isEqualTo("1");
  }
}
