package habemus.lockservice.name;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.text.Normalizer;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NameRuleTest {

    private static IntStream ofTypes(byte... types) {
        return IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                .filter(codePoint ->
                        IntStream.range(0, types.length).anyMatch(i -> types[i] == Character.getType(codePoint)));
    }

    private static void assertRefused(int codePoint) {
        var character = Character.toString(codePoint);
        assertThat(NameRule.isValid("a" + character + "b"))
                .as("U+%04X", codePoint)
                .isFalse();
        assertThat(PrintableText.escape(character)).as("U+%04X", codePoint).matches("\\\\([nrt]|u[0-9a-f]{4}.*)");
    }

    @Test
    void control_format_and_bidi_characters_are_refused() {
        ofTypes(Character.CONTROL, Character.FORMAT).forEach(NameRuleTest::assertRefused);
        IntStream.of(0x202A, 0x202E, 0x2066, 0x2069, 0x200B, 0x200F, 0x061C, 0xFEFF, 0xAD, 0xE0041)
                .forEach(NameRuleTest::assertRefused);
    }

    @Test
    void surrogates_separators_private_and_unassigned_characters_are_refused() {
        ofTypes(
                        Character.SURROGATE,
                        Character.LINE_SEPARATOR,
                        Character.PARAGRAPH_SEPARATOR,
                        Character.SPACE_SEPARATOR,
                        Character.PRIVATE_USE,
                        Character.UNASSIGNED)
                .filter(codePoint -> codePoint != ' ' && codePoint % 17 < 3) // a share of 900,000
                .forEach(NameRuleTest::assertRefused);
    }

    @Test
    void a_name_of_other_characters_is_valid_in_its_composed_form_only() {
        var random = new SplittableRandom(1);
        for (int i = 0; i < 20_000; i++) {
            var text = random.ints(0, Character.MAX_CODE_POINT + 1)
                    .filter(PrintableText::isPrintable)
                    .limit(random.nextInt(1, 20))
                    .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                    .toString();
            var composed = Normalizer.normalize(text, Normalizer.Form.NFC);
            if (!composed.isBlank()) {
                assertThat(NameRule.violation(composed)).as(composed).isEmpty();
            }
            assertThat(text.equals(composed) || !NameRule.isValid(text))
                    .as(text)
                    .isTrue();
            assertThat(PrintableText.escape(text)).isEqualTo(text);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"orders", "a/b", "/", "//", "../x", "a/..", "%2F", "%", "a b", "*", "#?&;=+", "…", "订单", "é"})
    void punctuation_and_letters_of_all_languages_are_valid(String name) {
        assertThat(NameRule.violation(name)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ".", "..", "e\u0301", "a\nb", "a\u0000", "\uD83D", "a\u202Etxt.exe"})
    void other_names_are_refused(String name) {
        assertThat(NameRule.isValid(name)).isFalse();
    }

    @Test
    void a_name_has_at_most_200_characters() {
        assertThat(NameRule.isValid("x".repeat(200))).isTrue();
        assertThat(NameRule.violation("x".repeat(201))).contains("must have at most 200 characters, has 201");
    }

    @Test
    void the_error_escapes_the_name_and_has_a_hint() {
        assertThatThrownBy(() -> NameRule.require("lock name", "a\u202Eb"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith(
                        "lock name must not contain U+202E (a control, format or other invisible character), was "
                                + "'a\\u202eb'")
                .hasMessageContaining("\nhint: ");
    }

    @Test
    void lines_are_kept_if_wanted() {
        assertThat(PrintableText.escapeLines("a\n\tb\u001B[2J\r\n")).isEqualTo("a\n\tb\\u001b[2J\\r\n");
        assertThat(PrintableText.escape("a\n\tb")).isEqualTo("a\\n\\tb");
    }
}
