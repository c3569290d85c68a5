package habemus.web;

import com.google.gson.JsonArray;

/**
 * A call of the engine, with the same arguments on every platform.
 *
 * @param method the name of an exported function of {@link Laboratory}
 */
record EngineCall(String method, String commandLine, String kind) {

    /** Answers up to this length are compared as they are: {@code digest.mjs} has the same limit. */
    private static final int SHORT = 200;

    static EngineCall hash(String commandLine) {
        return new EngineCall("hash", commandLine, "");
    }

    static EngineCall run(String commandLine) {
        return new EngineCall("run", commandLine, "");
    }

    static EngineCall draw(String commandLine, String kind) {
        return new EngineCall("draw", commandLine, kind);
    }

    static EngineCall check(String commandLine) {
        return new EngineCall("check", commandLine, "");
    }

    /** The call as a line of the file that {@code gate.mjs} reads. */
    String json() {
        var json = new JsonArray();
        json.add(method);
        json.add(commandLine);
        if (!kind.isEmpty()) {
            json.add(kind);
        }
        return json.toString();
    }

    /** The answer of the JVM. */
    String answer() {
        return switch (method) {
            case "hash" -> Laboratory.hash(commandLine);
            case "run" -> Laboratory.run(commandLine);
            case "check" -> Laboratory.check(commandLine, progress -> {});
            case "draw" -> Laboratory.draw(commandLine, kind);
            default -> throw new IllegalStateException(method);
        };
    }

    /** A short text that differs if the answer does, except for how long it took: see {@code digest.mjs}. */
    static String digest(String answer) {
        var text = answer.replaceAll("\"seconds\":[^,}]*", "");
        if (text.length() <= SHORT) {
            return text;
        }
        int hash = 0x811c9dc5;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x01000193;
        }
        return text.length() + " characters, hash " + Integer.toHexString(hash);
    }
}
