package habemus.lab.check;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Probabilities in the text of a check. */
class CheckTextTest {

    @ParameterizedTest
    @ValueSource(doubles = {1, 0.5, 0.25, 0.0999, 0.96, 0.999, 1.25e-7, 2e-10, 9.96e-10, 4.9e-324, 3.14159e-100})
    void a_probability_is_formatted_with_one_decimal(double probability) {
        assertThat(CheckText.scientific(probability)).isEqualTo(String.format(Locale.ROOT, "%.1e", probability));
    }
}
