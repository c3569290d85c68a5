package habemus.web;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import habemus.lab.experiment.FreeRun;
import habemus.lab.experiment.RunArguments;
import habemus.world.KebabCase;
import java.util.Optional;

/** The moves that are possible next, for a user who chooses one. */
final class ChoicesDocument {

    private ChoicesDocument() {}

    static JsonObject of(RunArguments arguments) {
        var choices = FreeRun.choices(arguments);
        var json = new JsonObject();
        json.addProperty("isAtRest", choices.isAtRest());
        var moves = new JsonArray();
        choices.moves().forEach(choice -> moves.add(move(choice)));
        json.add("moves", moves);
        return json;
    }

    private static JsonObject move(FreeRun.Choice choice) {
        var json = new JsonObject();
        json.addProperty("move", choice.move());
        json.addProperty("kind", KebabCase.of(choice.kind()));
        json.addProperty("isFault", choice.isFault());
        json.addProperty("node", choice.node().toString());
        json.addProperty("text", choice.text());
        Optional.ofNullable(choice.message()).ifPresent(message -> json.addProperty("message", message.number()));
        return json;
    }
}
