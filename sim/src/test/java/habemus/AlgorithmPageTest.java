package habemus;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every algorithm has a page, and its figures are those of today. */
class AlgorithmPageTest {

    static Stream<String> algorithms() {
        return Catalogue.ALL.stream().map(Algorithm::name);
    }

    /** With {@code -Dhabemus.rewrite=true} the page is renewed: read the difference before you commit it. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void a_page_says_what_was_measured(String name) throws IOException {
        var page = Repository.root().resolve("docs").resolve("algorithms").resolve(name + ".md");
        assertThat(page).exists();
        var text = Files.readString(page);
        var renewed = new AlgorithmPage(Catalogue.find(name).orElseThrow()).withGeneratedParts(text);
        if (Boolean.getBoolean("habemus.rewrite")) {
            Files.writeString(page, renewed);
        } else {
            assertThat(text).isEqualTo(renewed);
        }
    }
}
