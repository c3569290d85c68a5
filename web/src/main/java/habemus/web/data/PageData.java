package habemus.web.data;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import habemus.catalogue.Catalogue;
import habemus.lab.matrix.PublishedMatrix;
import habemus.web.Laboratory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/** The data files of the page, by name. */
public final class PageData {

    private static final Gson GSON =
            new GsonBuilder().disableHtmlEscaping().serializeNulls().create();

    private PageData() {}

    /** What loads the compiled engine in a browser. TeaVM ships it as a resource of its compiler. */
    private static final String RUNTIME = "/org/teavm/backend/wasm/wasm-gc-runtime.min.js";

    /** @param args the folder of the scenarios, and that of the engine: the runtime and the data are written there */
    public static void main(String[] args) throws IOException {
        if (args.length != 2) {
            throw new IllegalArgumentException("usage: PageData SCENARIOS FOLDER");
        }
        var engine = Path.of(args[1]);
        var folder = Files.createDirectories(engine.resolve("data"));
        try (var runtime = Objects.requireNonNull(PageData.class.getResourceAsStream(RUNTIME), RUNTIME)) {
            Files.write(engine.resolve("laboratory.wasm-runtime.js"), runtime.readAllBytes());
        }
        for (var file : all(Path.of(args[0])).entrySet()) {
            Files.writeString(folder.resolve(file.getKey()), GSON.toJson(file.getValue()));
        }
    }

    static Map<String, JsonObject> all(Path scenarios) throws IOException {
        var files = new LinkedHashMap<String, JsonObject>();
        files.put("matrix.json", CompactMatrix.of(PublishedMatrix.rows(Catalogue.ALL)));
        files.put("sources.json", SourceIndex.of(Catalogue.ALL));
        files.put("scenarios.json", ScenarioText.readAll(scenarios));
        files.put("portuguese.json", PortugueseTexts.of(JsonParser.parseString(Laboratory.catalogue())));
        return files;
    }
}
