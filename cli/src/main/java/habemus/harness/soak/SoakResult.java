package habemus.harness.soak;

import com.google.gson.JsonObject;
import java.util.List;

/** What was seen in a soak, beyond what is common to all. */
interface SoakResult {

    /** What was run. */
    String title(Soak soak, double minutes);

    /** What happened besides faults of nodes. */
    List<String> events();

    /** What was judged, and how; without the last word. */
    List<String> verdicts();

    /** Whether everything is as promised. */
    boolean hasPassed();

    void addTo(JsonObject json);
}
