package habemus.web;

import com.google.gson.JsonArray;

/**
 * A call of the engine, with the same arguments on every platform.
 *
 * @param method the name of an exported function of {@link Laboratory}
 * @param option the kind of a drawing, the memory of a check; empty for other functions
 */
record EngineCall(String method, String commandLine, String option) {

    /** Answers up to this length are compared as they are: {@code digest.mjs} has the same limit. */
    private static final int SHORT = 200;

    /** The memory of every check: more than the small worlds need. */
    private static final String MAX_BYTES = Long.toString(1L << 30);

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
        return new EngineCall("check", commandLine, MAX_BYTES);
    }

    /** The call as a line of the file that {@code gate.mjs} reads. */
    String json() {
        var json = new JsonArray();
        json.add(method);
        json.add(commandLine);
        if (!option.isEmpty()) {
            json.add(option);
        }
        return json.toString();
    }

    /** The answer of the JVM. */
    String answer() {
        return switch (method) {
            case "hash" -> Laboratory.hash(commandLine);
            case "run" -> Laboratory.run(commandLine);
            case "check" -> Laboratory.check(commandLine, option, progress -> {});
            case "draw" -> Laboratory.draw(commandLine, option);
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
