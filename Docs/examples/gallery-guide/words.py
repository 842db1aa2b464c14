"""The words of the guide in each language. The daemon writes guidance and the venue's texts in the same one."""

ENGLISH = {
    "language": "en",
    "guide": "Gallery guide",
    "purpose": "Shows the exhibit you stand at, and the way to others",
    "exhibit": "_Exhibit",
    "way": "_Way",
    "walk up": ("Walk up to an exhibit", "Its story appears here when you stand in front of it."),
    "asking": ("One moment", "The guide asks whether it may know which exhibit is near."),
    "away": ("The guide is resting", "The beacon service of this device is not running. As soon as it is, the guide goes on by itself."),
    "silent": ("No beacon can be heard", "The receiver of this device is silent. As soon as it hears again, the guide goes on by itself."),
    "refused": ("The guide may not know where you are", "{reason}.\n\nOnce it is allowed, the guide goes on by itself."),
    "search": "Search an exhibit",
    "exhibits": "Exhibits",
    "none": "No exhibit has this name",
    "end": "End the guidance",
    "to": "To {title}",
    "looking": "Looking for your position",
    "no plan": "No plan",
    "plan": "Plan of {level}",
    "near": "You are at {title}",
    "unknown": "Your position is unknown",
    "marked": "Your position is marked",
    "route": "The route to {title} is drawn",
    "left": "Turn left",
    "right": "Turn right",
    "ahead": "Straight ahead",
}

GERMAN = {
    "language": "de",
    "guide": "Galerieführer",
    "purpose": "Zeigt das Exponat, vor dem Sie stehen, und den Weg zu anderen",
    "exhibit": "_Exponat",
    "way": "_Weg",
    "walk up": ("Gehen Sie zu einem Exponat", "Wenn Sie davor stehen, erscheint hier seine Geschichte."),
    "asking": ("Einen Moment", "Der Galerieführer fragt, ob er wissen darf, welches Exponat in der Nähe ist."),
    "away": ("Der Galerieführer ruht", "Der Beacon-Dienst dieses Geräts läuft nicht. Sobald er läuft, geht es von selbst weiter."),
    "silent": ("Kein Beacon ist zu hören", "Der Empfänger dieses Geräts ist still. Sobald er wieder etwas hört, geht es von selbst weiter."),
    "refused": ("Der Galerieführer darf nicht wissen, wo Sie sind", "{reason}.\n\nSobald es erlaubt ist, geht es von selbst weiter."),
    "search": "Exponat suchen",
    "exhibits": "Exponate",
    "none": "Kein Exponat hat diesen Namen",
    "end": "Führung beenden",
    "to": "Ziel: {title}",
    "looking": "Ihre Position wird gesucht",
    "no plan": "Kein Plan",
    "plan": "Plan: {level}",
    "near": "Sie sind hier: {title}",
    "unknown": "Ihre Position ist unbekannt",
    "marked": "Ihre Position ist markiert",
    "route": "Der Weg ist eingezeichnet, Ziel: {title}",
    "left": "Links abbiegen",
    "right": "Rechts abbiegen",
    "ahead": "Geradeaus",
}

# The daemon's errors are in English. On a screen in another language, these texts replace them. An administrator finds
# the reason with "beaconmon privacy" or "beaconmon status".
ERRORS = {
    "de": {
        "AccessDenied": "Es ist auf diesem Gerät nicht erlaubt; ein Administrator kann es erlauben",
        "LocationServicesDisabled": "Die Ortung ist auf diesem Gerät ausgeschaltet; ein Administrator kann sie einschalten",
        "LocationUnknown": "Ihre Position ist noch unbekannt",
        "NoLocationSource": "Dieses Gerät hat keine Quelle für seine Position",
        "NoRoute": "Dorthin führt kein Weg",
        "NoSuchPlace": "Dieses Exponat gibt es im Plan nicht mehr",
        "NotAuthorized": "Es ist auf diesem Gerät nicht erlaubt; ein Administrator kann es erlauben",
    },
}


def reason(message, error, language):
    """Returns the message of the daemon, or the text for this error in the language of the screen.

    error: the name of the error; None if the message is in the language of the guidance.
    """
    return ERRORS.get(language, {}).get(error, message)


def tags(names):
    """Returns the languages of locales such as `de_CH.UTF-8`, the best one first."""
    languages = [name.replace("-", "_").partition(".")[0].partition("_")[0].lower() for name in names]
    return [language for language in languages if language not in ("", "c", "posix")] or ["en"]


def words(names):
    """Returns the words in the first language that exists, or else in English, as the daemon does."""
    known = {table["language"]: table for table in (ENGLISH, GERMAN)}
    return next((known[tag] for tag in tags(names) if tag in known), ENGLISH)


def translated(text, names, language="en"):
    """Returns a text in the language that the reader prefers; None if there is none.

    text: in one language, which is `language`, or a dictionary of texts by language.
    """
    return (text if isinstance(text, dict) else {language: text}).get(tags(names)[0])


def merged(own, place, names, language="en"):
    """Returns the title and texts of an exhibit in the reader's language, if there are any.

    The title of a place of the venue takes precedence over that of `exhibits.toml`. The text does so if that of `exhibits.toml` is in another language.
    own: the exhibit in `exhibits.toml`, or {}. place: that of the venue, or {}.
    """
    def first(text):
        return next(iter(text.values()), "") if isinstance(text, dict) else text

    exhibit = {}
    for key in ("title", "made", "text"):
        text = own.get(key, "")
        preferred = (place.get(key), translated(text, names, language)) if key == "title" else (translated(text, names, language), place.get(key))
        exhibit[key] = next((each for each in preferred if each), first(text))
    return exhibit
