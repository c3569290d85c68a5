package habemus.lab.language;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Algorithm;
import habemus.catalogue.AlgorithmParameters;
import habemus.catalogue.Catalogue;
import habemus.catalogue.CostFormula;
import habemus.lab.matrix.FaultScenario;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class TranslationTest {

    private static final Translation PORTUGUESE = Translation.to(Language.PORTUGUESE);

    @Test
    void english_is_not_translated() {
        assertThat(Translation.to(Language.ENGLISH).of("Rules")).isEqualTo("Rules");
        assertThat(PORTUGUESE.of("Rules")).isEqualTo("Regras");
    }

    @Test
    void a_text_without_translation_stays_english() {
        assertThat(PORTUGUESE.of("no such text")).isEqualTo("no such text");
    }

    @Test
    void numbers_are_inserted_in_order() {
        assertThat(PORTUGUESE.of("synchronous: messages within 49 ms")).isEqualTo("síncrona: mensagens em 49 ms");
        assertThat(PORTUGUESE.of("violated after 7 steps")).isEqualTo("violada após 7 passos");
    }

    @Test
    void whatever_the_catalogue_and_the_matrix_say_is_translated() {
        assertThat(Catalogue.ALL).extracting(Algorithm::summary).allMatch(PORTUGUESE::has);
        assertThat(Catalogue.ALL)
                .flatExtracting(Algorithm::costs)
                .extracting(CostFormula::label)
                .allMatch(PORTUGUESE::has);
        assertThat(FaultScenario.values())
                .extracting(FaultScenario::description)
                .allMatch(PORTUGUESE::has);
        assertThat(Catalogue.ALL.stream()
                        .flatMap(algorithm -> algorithm.guarantees().apply(AlgorithmParameters.defaults()).stream())
                        .map(guarantee -> guarantee.timing().toString()))
                .allMatch(PORTUGUESE::has);
    }

    @Test
    void a_translation_has_as_many_numbers_as_its_text() {
        assertThat(PORTUGUESE.keys())
                .allSatisfy(key -> assertThat(count(PORTUGUESE.of(key))).isEqualTo(count(key)));
    }

    private static long count(String text) {
        return Arrays.stream(text.split("", -1)).filter("#"::equals).count();
    }
}
