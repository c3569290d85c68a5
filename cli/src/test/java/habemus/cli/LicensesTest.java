package habemus.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** NOTICE names the license of every library in {@code habemus.jar}, and the jar has its text. */
class LicensesTest {

    private static final Path NOTICE = CliRunner.root().resolve("NOTICE");
    private static final String BEGIN = "Libraries in habemus.jar:\n\n";
    private static final String OWN_GROUP = "dev.habemus";

    /** The file with the text of a license; all others are under Apache-2.0. */
    private static final List<String> TEXTS = List.of(
            "EPL-2.0.txt",
            "slf4j.txt",
            "apfloat.txt",
            "HdrHistogram.txt",
            "protobuf.txt",
            "CDDL-1.0.txt",
            "postgresql.txt");

    private static String resource(String name) throws IOException {
        try (var in = LicensesTest.class.getResourceAsStream(name)) {
            assertThat(in).as(name).isNotNull();
            return new String(in.readAllBytes(), UTF_8);
        }
    }

    private static JsonObject sbom() throws IOException {
        return JsonParser.parseString(resource("/META-INF/sbom/habemus.cdx.json"))
                .getAsJsonObject();
    }

    private static List<JsonObject> libraries() throws IOException {
        return StreamSupport.stream(sbom().getAsJsonArray("components").spliterator(), false)
                .map(JsonElement::getAsJsonObject)
                .filter(library -> !library.get("group").getAsString().equals(OWN_GROUP))
                .toList();
    }

    private static String name(JsonObject library) {
        return library.get("group").getAsString() + ":" + library.get("name").getAsString();
    }

    private static String licenses(JsonObject library) {
        return StreamSupport.stream(library.getAsJsonArray("licenses").spliterator(), false)
                .map(JsonElement::getAsJsonObject)
                .map(LicensesTest::license)
                .collect(Collectors.joining(" or "));
    }

    private static String license(JsonObject choice) {
        if (choice.has("expression")) {
            return choice.get("expression").getAsString();
        }
        var license = choice.getAsJsonObject("license");
        return license.get(license.has("id") ? "id" : "name").getAsString();
    }

    /** {@code -Dhabemus.rewrite=true} writes the list again. */
    @Test
    void the_notice_names_the_license_of_every_library() throws IOException {
        var list = libraries().stream()
                .map(library -> "  " + name(library) + ": " + licenses(library) + "\n")
                .sorted()
                .collect(Collectors.joining());
        var notice = Files.readString(NOTICE);
        var head = notice.substring(0, notice.indexOf(BEGIN) + BEGIN.length());
        if (Boolean.getBoolean("habemus.rewrite")) {
            Files.writeString(NOTICE, head + list);
        }
        assertThat(Files.readString(NOTICE)).isEqualTo(head + list);
    }

    @Test
    void a_library_without_the_apache_license_is_described_and_has_its_text_in_the_jar() throws IOException {
        assertThat(libraries().stream()
                        .filter(library -> !licenses(library).equals("Apache-2.0"))
                        .map(LicensesTest::name))
                .containsExactlyInAnyOrder(
                        "org.jgrapht:jgrapht-core",
                        "org.apfloat:apfloat",
                        "org.slf4j:slf4j-api",
                        "org.hdrhistogram:HdrHistogram",
                        "com.google.protobuf:protobuf-java",
                        "javax.annotation:javax.annotation-api",
                        "org.postgresql:postgresql");
        assertThat(TEXTS).allSatisfy(text -> {
            assertThat(resource("/licenses/" + text)).isNotEmpty();
            assertThat(Files.readString(NOTICE)).contains("licenses/" + text);
        });
        assertThat(resource("/LICENSE")).contains("Apache License");
    }

    /** A random number or the time of the build would make every jar another one. */
    @Test
    void the_list_of_libraries_is_the_same_in_every_build() throws IOException {
        var sbom = sbom();
        assertThat(sbom.has("serialNumber")).isFalse();
        assertThat(sbom.getAsJsonObject("metadata").has("timestamp")).isFalse();
    }
}
