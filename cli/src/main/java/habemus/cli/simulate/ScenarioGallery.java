package habemus.cli.simulate;

import habemus.lab.command.CommandException;
import habemus.lab.command.SpellingSuggestion;
import habemus.lab.run.Scenario;
import habemus.lab.source.SourceFile;
import habemus.lab.trace.Recording;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The scenarios of Habemus: packaged in the jar, or in the folder of the repository. */
public final class ScenarioGallery {

    private static final String PREFIX = "gallery:";
    private static final String SUFFIX = ".scenario";
    private static final String FOLDER = "scenarios";

    private ScenarioGallery() {}

    /** Whether the argument names a scenario, not an algorithm. */
    static boolean isScenario(String target) {
        return target.startsWith(PREFIX) || isFile(target);
    }

    static boolean isFile(String target) {
        return !target.startsWith(PREFIX)
                && !SourceFile.isNamed(target)
                && (target.endsWith(SUFFIX) || target.contains("/"));
    }

    /** @param target {@code gallery:NAME} or a file */
    static Scenario read(String target) {
        return isFile(target) ? readFile(target) : readPackaged(target.substring(PREFIX.length()));
    }

    private static Scenario readFile(String name) {
        try {
            var path = Path.of(name);
            if (!Files.isRegularFile(path)) {
                throw CommandException.usage(
                        "no such file: " + name, "habemus list shows the scenarios of the gallery");
            }
            return Scenario.parse(name, Files.readString(path));
        } catch (CharacterCodingException | InvalidPathException binary) {
            throw CommandException.usage(name + " is not a text file", "write the scenario in UTF-8");
        } catch (IOException unreadable) {
            throw CommandException.failure("cannot read " + name, "check the permissions");
        }
    }

    private static Scenario readPackaged(String name) {
        var all = all();
        var text = all.get(name);
        if (text == null) {
            throw CommandException.usage(
                    "unknown scenario: '" + name + "'",
                    SpellingSuggestion.hint(name, all.keySet()) + "habemus list shows all scenarios");
        }
        return Scenario.parse(PREFIX + name, text);
    }

    /** Sorted by name. */
    public static List<Scenario> scenarios() {
        return all().entrySet().stream()
                .map(entry -> Scenario.parse(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static Map<String, String> all() {
        var texts = new TreeMap<String, String>();
        try {
            var home = Path.of(Recording.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            if (Files.isRegularFile(home)) {
                try (var jar = FileSystems.newFileSystem(home)) {
                    read(jar.getPath("/" + FOLDER), texts);
                }
            } else {
                read(home.resolve(FOLDER), texts);
            }
            if (texts.isEmpty()) {
                findInRepository(home).ifPresent(folder -> read(folder, texts));
            }
            return texts;
        } catch (IOException | URISyntaxException unreadable) {
            throw CommandException.failure(
                    "cannot read the gallery: " + unreadable.getMessage(), "build the jar again");
        }
    }

    private static Optional<Path> findInRepository(Path within) {
        for (var folder = within.toAbsolutePath().getParent(); folder != null; folder = folder.getParent()) {
            if (Files.isDirectory(folder.resolve(FOLDER))) {
                return Optional.of(folder.resolve(FOLDER));
            }
        }
        return Optional.empty();
    }

    private static void read(Path folder, Map<String, String> texts) {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (var files = Files.list(folder)) {
            for (Path file : files.toList()) {
                var name = file.getFileName().toString();
                if (name.endsWith(SUFFIX)) {
                    var text = Files.readString(file, StandardCharsets.UTF_8);
                    texts.put(name.substring(0, name.length() - SUFFIX.length()), text);
                }
            }
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
