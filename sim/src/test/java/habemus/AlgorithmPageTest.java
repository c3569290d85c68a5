package habemus;

import static org.assertj.core.api.Assertions.assertThat;

import habemus.catalogue.Algorithm;
import habemus.catalogue.Catalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every algorithm has a documentation page with up-to-date generated parts. */
@Tag("slow")
class AlgorithmPageTest {

    static Stream<String> algorithms() {
        return Catalogue.ALL.stream().map(Algorithm::name);
    }

    /** With {@code -Dhabemus.rewrite=true} the test rewrites the page: read the diff before you commit it. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void the_generated_parts_of_a_page_are_up_to_date(String name) throws IOException {
        var page = Repository.root().resolve("docs").resolve("algorithms").resolve(name + ".md");
        assertThat(page).exists();
        var text = Files.readString(page);
        var expected = new AlgorithmPage(Catalogue.find(name).orElseThrow()).withGeneratedParts(text);
        if (Boolean.getBoolean("habemus.rewrite")) {
            Files.writeString(page, expected);
        } else {
            assertThat(text).isEqualTo(expected);
        }
    }
}
