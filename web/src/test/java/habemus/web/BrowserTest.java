package habemus.web;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.Timeout;

/** The paths of a newcomer through the page, in Chromium: from a server, and as one file. */
@Tag("slow")
class BrowserTest {

    @TestFactory
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    Stream<DynamicTest> the_page_does_what_a_newcomer_expects() throws IOException, InterruptedException {
        return NodeScript.run("browser.mjs", "target").stream()
                .map(line -> JsonParser.parseString(line).getAsJsonObject())
                .map(BrowserTest::test);
    }

    private static DynamicTest test(JsonObject result) {
        return dynamicTest(
                result.get("name").getAsString(),
                () -> assertEquals("", result.get("failure").getAsString()));
    }
}
